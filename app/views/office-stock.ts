/** What the stock list is asked for. Anything else counts as not asked. */
import { stockPools, stockWords, type StockPool, type StockQuery } from '#domain/stock/stock.ts'

type StockAsked = { q: string; pool: StockPool | null; after: number }

export function readStockAsked(query: URLSearchParams): StockAsked {
  const after = query.get('after') ?? ''
  return {
    q: stockWords(query.get('q') ?? '').join(' '),
    pool: stockPools.find((pool) => pool === query.get('pool')) ?? null,
    after: /^\d{1,9}$/.test(after) ? Number(after) : 0,
  }
}

export function stockQueryOf({ q, pool }: StockAsked): StockQuery {
  return { words: stockWords(q), pool }
}

/** The filters as they stand in an address. */
export function stockFiltersOf({ q, pool }: StockAsked): { q: string | undefined; pool: string | undefined } {
  return { q: q || undefined, pool: pool ?? undefined }
}
