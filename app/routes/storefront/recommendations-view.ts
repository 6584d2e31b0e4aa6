/** What the page of guided recommendations sends to the browser. */
import type { CardView } from '#app/ui/listing-data.ts'

export type QuestionView = {
  name: string
  text: string
  answers: { value: string; label: string; isChosen: boolean }[]
  problem: string | null
}

export type RecommendationsView = {
  store: string
  heading: string
  /** What the tires are for, and what the form carries along to say it; null while that is unknown. */
  subject: { label: string; fields: [name: string, value: string][] } | null
  /** The size as typed, with what is wrong with it. */
  size: { typed: string; problem: string | null }
  questions: QuestionView[]
  /** Null until all is answered. */
  result: {
    picks: { card: CardView; reasons: string[] }[]
    all: { label: string; path: string }
    compare: string
  } | null
  zip: string | null
  /** The page's own address. */
  path: string
}
