/** The query of a review list, parsed from a URL and written back. */
export const reviewSorts = ['helpful', 'newest', 'highest', 'lowest'] as const
export type ReviewSort = (typeof reviewSorts)[number]

export type ReviewQuery = {
  readonly sort: ReviewSort
  /** 1 to 5, the overall rating rounded. */
  readonly stars: number | null
  /** "Toyota RAV4" */
  readonly vehicle: string | null
  /** The last review of the previous page. */
  readonly after: number | null
}

export const plainReviewQuery: ReviewQuery = { sort: 'helpful', stars: null, vehicle: null, after: null }

/** Parses a query; ignores invalid values. */
export function parseReviewQuery(params: URLSearchParams): ReviewQuery {
  const stars = /^[1-5]$/.exec(params.get('stars') ?? '')
  const after = /^[1-9]\d{0,8}$/.exec(params.get('after') ?? '')
  const vehicle = (params.get('vehicle') ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  return {
    sort: reviewSorts.find((sort) => sort === params.get('sort')) ?? 'helpful',
    stars: stars ? Number(stars[0]) : null,
    vehicle: vehicle === '' ? null : vehicle,
    after: after ? Number(after[0]) : null,
  }
}

/** Writes a query's parameters in fixed order, without defaults. */
export function reviewParameters({
  sort,
  stars,
  vehicle,
  after,
}: ReviewQuery): Record<string, string | number | undefined> {
  return {
    stars: stars ?? undefined,
    vehicle: vehicle ?? undefined,
    sort: sort === 'helpful' ? undefined : sort,
    after: after ?? undefined,
  }
}
