/** Four questions about a shopper's driving, and the tires that match. */
import type { Visitor } from '#http/visitor.ts'
import { paths, withQuery } from '#content/paths.ts'
import { recommendTires, sizePairsOf, type SizePair } from '#domain/catalog/catalog/catalog.server.ts'
import { parseAnswers, questions, type Answers, type Sort } from '#domain/catalog/catalog/catalog.ts'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseSizeSlug, parseTireSize, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { decodeChosenVehicle, encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Application } from '#application'
import { unreadableSize } from './finder.server.ts'
import { sizeName } from './listing.server.ts'
import { cardView } from './listing-cards.server.ts'
import { readNearby, readShippingTo } from '#domain/catalog/offers/offers.server.ts'
import type { RecommendationsView } from './recommendations-view.ts'
import { confirmationPanel, readMyVehicle, settledBy, type MyVehicle } from './vehicle-panel.server.ts'

/** The size, or the vehicle's possible sizes, to recommend for. */
type Subject = {
  label: string
  /** "for your 2021 Toyota RAV4 XLE", "in 225/65R17" */
  words: string
  fields: [name: string, value: string][]
  sizes: readonly SizePair[]
  requirement: Requirement | undefined
  mine: MyVehicle | null
  vehicleName: string | undefined
  /** The list of all of them. */
  all: { label: string; path: string }
}

/**
 * Reads the subject from the URL (`size` and `rear`, or `vehicle`) or from the browser's saved vehicle, then the four
 * answers.
 */
export async function readRecommendations(app: Application, visitor: Visitor, url: URL): Promise<RecommendationsView> {
  const params = url.searchParams
  const typed = (params.get('size') ?? '').trim().slice(0, 40)
  const subject = await readSubject(app, visitor, params, typed)
  const answers = parseAnswers(params)
  const result = subject && answers ? await readResult(app, visitor, subject, answers) : null
  const isAnswered = Object.keys(questions).some((name) => params.has(name))
  return {
    store: app.config.store.name,
    heading: subject && result ? `${counts[result.picks.length]} ${subject.words}` : 'Help me decide',
    subject: subject && { label: subject.label, fields: subject.fields },
    size: { typed, problem: sizeProblem(typed, subject, isAnswered) },
    questions: questionViews(params, isAnswered),
    result,
    panel: result?.picks.length ? panelOf(subject, `${url.pathname}${url.search}`) : null,
    zip: visitor.zip ?? null,
    path: withQuery(
      paths.recommendations(),
      Object.fromEntries([...(subject?.fields ?? []), ...Object.entries(answers ?? {})]),
    ),
  }
}

function sizeProblem(typed: string, subject: Subject | null, isAnswered: boolean): string | null {
  if (subject) return null
  if (typed !== '') return unreadableSize
  return isAnswered ? 'Type your size, or choose your vehicle.' : null
}

function panelOf(subject: Subject | null, back: string): RecommendationsView['panel'] {
  return subject?.mine ? confirmationPanel(subject.mine, back) : null
}

const counts = ['No tire', 'One tire', 'Two tires', 'Three tires', 'Four tires', 'Five tires']

async function readSubject(
  app: Application,
  visitor: Visitor,
  params: URLSearchParams,
  typed: string,
): Promise<Subject | null> {
  // A shared address names its sender's vehicle, not the reader's own.
  const linked = decodeChosenVehicle(params.get('vehicle')?.slice(0, 600) ?? '')
  const vehicle = linked && (settledBy(visitor.vehicle, linked) ?? linked)
  const mine = await readMyVehicle(app, vehicle ? { ...visitor, vehicle: encodeChosenVehicle(vehicle) } : visitor)
  if (typed !== '') return sizeSubject(typed, params.get('rear') ?? '', mine)
  const sizes = mine ? sizePairsOf(mine.requirement) : []
  if (!mine || sizes.length === 0) return null
  return {
    label: mine.chosen.name,
    words: `for your ${mine.chosen.name}`,
    fields: [['vehicle', encodeChosenVehicle(mine.chosen)]],
    sizes,
    requirement: mine.requirement,
    mine,
    vehicleName: mine.model,
    all: { label: `All tires for the ${mine.model}`, path: mine.path },
  }
}

/** The sizes typed, or null if the front one cannot be read. */
function sizeSubject(typed: string, typedRear: string, mine: MyVehicle | null): Subject | null {
  const front = slugOf(typed)
  if (front === undefined) return null
  const rear = slugOf(typedRear) ?? front
  const isSet = rear !== front
  const label = isSet ? `${sizeName(front)} and ${sizeName(rear)}` : sizeName(front)
  return {
    label,
    words: `in ${label}`,
    fields: [['size', front], ...(isSet ? [['rear', rear] satisfies [string, string]] : [])],
    sizes: [{ front, rear }],
    requirement: mine?.requirement,
    mine,
    vehicleName: mine?.model,
    all: { label: `All ${label} tires`, path: paths.listing({ size: front, rear: isSet ? rear : undefined }) },
  }
}

function slugOf(text: string): string | undefined {
  const lower = text.trim().toLowerCase()
  if (parseSizeSlug(lower)) return lower
  const size = parseTireSize(text)
  return size && sizeSlug(size)
}

function questionViews(params: URLSearchParams, isAnswered: boolean): RecommendationsView['questions'] {
  return Object.entries(questions).map(([name, { text, answers }]) => ({
    name,
    text,
    answers: Object.entries(answers).map(([value, label]) => ({ value, label, isChosen: params.get(name) === value })),
    problem: isAnswered && !Object.hasOwn(answers, params.get(name) ?? '') ? 'Choose one of the answers.' : null,
  }))
}

/** The list's sort order that puts the top priority first. */
const sortFor: Record<Answers['priority'], Sort> = { quiet: 'rating', grip: 'score', life: 'warranty', price: 'price' }

async function readResult(
  app: Application,
  visitor: Visitor,
  subject: Subject,
  answers: Answers,
): Promise<NonNullable<RecommendationsView['result']>> {
  const [nearby, shippingTo] = await Promise.all([readNearby(app, visitor), readShippingTo(app, visitor.zip)])
  const found = await recommendTires(app.catalog, {
    scope: { sizes: subject.sizes },
    requirement: subject.requirement,
    vehicleName: subject.vehicleName,
    arrivalOf: nearby?.arrivalOf,
    totalOf: nearby?.totalOf,
    answers,
  })
  const offers = found.map(({ offer }) => offer)
  const times = await nearby?.timesOf(offers)
  const { label, path } = subject.all
  return {
    picks: found.map(({ offer, reasons }) => ({
      card: cardView(offer, shippingTo, times?.get(offer.key)),
      reasons: [...reasons],
    })),
    all: { label, path: `${path}${path.includes('?') ? '&' : '?'}sort=${sortFor[answers.priority]}` },
    compare: paths.compare(offers.map(({ key }) => key)),
  }
}
