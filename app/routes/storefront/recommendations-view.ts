/** The data of the guided recommendations page. */
import type { CardView, PanelView } from '#app/ui/listing-data.ts'

export type QuestionView = {
  name: string
  text: string
  answers: { value: string; label: string; isChosen: boolean }[]
  problem: string | null
}

export type RecommendationsView = {
  store: string
  heading: string
  /** What the tires are for, and the form's hidden fields for it; null if unknown. */
  subject: { label: string; fields: [name: string, value: string][] } | null
  /** The size as typed, and any problem with it. */
  size: { typed: string; problem: string | null }
  questions: QuestionView[]
  /** Null until every question is answered. */
  result: {
    picks: { card: CardView; reasons: string[] }[]
    all: { label: string; path: string }
    compare: string
  } | null
  /** The request for the vehicle's placard. Null if there's no condition left to confirm. */
  panel: PanelView | null
  zip: string | null
  /** The page's own address. */
  path: string
}
