/**
 * Sizes as the finder's three lists spell them. Any size can be split and joined again, so no kind of size needs its
 * own list.
 */

/**
 * "225", "65", "17" of 225/65R17; "LT275", "70", "18"; "35X12.50", "", "17LT"; "T125", "70", "D16" if the tire is not
 * radial.
 */
export type SizeParts = { width: string; ratio: string; rim: string }

/** Splits a size as printed; returns undefined for text that is not a size. */
export function sizeParts(designation: string): SizeParts | undefined {
  const {
    width,
    ratio = '',
    build,
    rim,
  } = /^(?<width>[A-Z\d.]+?)(?:\/(?<ratio>\d{2,3}))?(?<build>[RDB-])(?<rim>\d[\d.]*[A-Z]*)$/.exec(designation)
    ?.groups ?? {}
  return width === undefined || rim === undefined
    ? undefined
    : { width, ratio, rim: build === 'R' ? rim : `${build}${rim}` }
}

/** Joins the parts into the printed size. Parts that do not match yield text that is not a size. */
export function joinSizeParts({ width, ratio, rim }: SizeParts): string {
  return `${width}${ratio === '' ? '' : `/${ratio}`}${/^\d/.test(rim) ? 'R' : ''}${rim}`
}

/** Returns what each list offers, given the choices in the lists before it. */
export function narrowSizes(
  sizes: readonly SizeParts[],
  { width, ratio }: Pick<SizeParts, 'width' | 'ratio'>,
): { widths: string[]; ratios: string[]; rims: string[] } {
  const sameWidth = sizes.filter((size) => width === '' || size.width === width)
  const sameRatio = sameWidth.filter((size) => ratio === '' || size.ratio === ratio)
  return {
    widths: ordered(sizes.map((size) => size.width)),
    ratios: ordered(sameWidth.map((size) => size.ratio)),
    rims: ordered(sameRatio.map((size) => size.rim)),
  }
}

/** The group heading of a width in its list. */
export function widthGroup(
  width: string,
): 'Cars, SUVs and vans' | 'Light truck (LT)' | 'Inches (flotation)' | 'Trailer (ST)' | 'Other' {
  if (/^\d{3}$/.test(width)) return 'Cars, SUVs and vans'
  if (width.startsWith('LT')) return 'Light truck (LT)'
  if (width.includes('X')) return 'Inches (flotation)'
  return width.startsWith('ST') ? 'Trailer (ST)' : 'Other'
}

/** Returns unique values, plain numbers first, then by letters and number. */
function ordered(values: readonly string[]): string[] {
  const letters = (value: string) => value.replaceAll(/[\d.]/g, '')
  const compare = (a: string, b: string) =>
    letters(a) < letters(b)
      ? -1
      : letters(a) > letters(b)
        ? 1
        : Number.parseFloat(a.replace(/^\D+/, '')) - Number.parseFloat(b.replace(/^\D+/, ''))
  return [...new Set(values)].filter((value) => value !== '').sort(compare)
}
