/** Conditions and reasons for fraud and resale rules. Safe in the browser. */
import { formatCents } from '#platform/money.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'

export const fraudOutcomes = ['allow', 'confirm', 'review', 'refuse'] as const
/**
 * `confirm` requires the shopper to confirm the order. `review` blocks charging and shipping until staff decide.
 * `refuse`: no order is placed.
 */
export type FraudOutcome = (typeof fraudOutcomes)[number]

export const outcomeWords: Readonly<Record<FraudOutcome, string>> = {
  allow: 'Let pass',
  confirm: 'Ask the customer to confirm',
  review: 'Hold for review',
  refuse: 'Refuse online',
}

export const fraudSubjects = ['account', 'email', 'network', 'card', 'address'] as const
/** What orders and declines are counted by. */
export type FraudSubject = (typeof fraudSubjects)[number]

/** Declined cards aren't counted by card or address, because card testers change the card each time. */
export const declineSubjects = ['account', 'email', 'network'] as const satisfies readonly FraudSubject[]

/** Each kind of rule, in words, with the parameters it has. */
export const fraudKinds = {
  orders: { words: 'Many orders', parameters: ['subject', 'most', 'minutes'] },
  declines: { words: 'Many declined cards', parameters: ['subject', 'most', 'minutes'] },
  cards: { words: 'Many cards on one cart', parameters: ['most', 'minutes'] },
  'ship-to-far': { words: 'Shipped far from the billing address', parameters: ['miles', 'fromCents'] },
  resale: { words: 'Many tires', parameters: ['most'] },
  'dealer-names': { words: 'Name of a dealership', parameters: ['words'] },
  'shop-address': { words: 'Address of a shop', parameters: [] },
  'first-order': { words: 'High first order', parameters: ['fromCents'] },
} as const satisfies Record<string, { words: string; parameters: readonly FraudParameter[] }>

export type FraudKind = keyof typeof fraudKinds
export type FraudParameter = 'subject' | 'most' | 'minutes' | 'miles' | 'fromCents' | 'words'

/** A rule; the parameters that its kind does not have are null. */
export type FraudRule = {
  id: number
  kind: FraudKind
  subject: FraudSubject | null
  most: number | null
  minutes: number | null
  miles: number | null
  fromCents: number | null
  words: readonly string[] | null
  homesOnly: boolean
  sparesCompanies: boolean
  outcome: FraudOutcome
  isOn: boolean
  version: number
}

/** Whether a kind of rule has a parameter. */
export function hasParameter(kind: FraudKind, parameter: FraudParameter): boolean {
  const parameters: readonly FraudParameter[] = fraudKinds[kind].parameters
  return parameters.includes(parameter)
}

/** What is known of an order without looking anything up. */
export type OrderFacts = {
  isHome: boolean
  /** Bought for a company that staff approved. */
  isForCompany: boolean
  tires: number
  totalCents: number
  /** Who it goes to, and the lines of the street. */
  names: readonly (string | null)[]
}

/** Why a rule applied, in words for staff. */
export type FraudReason = { rule: number; outcome: FraudOutcome; words: string }

export type Judgment = { outcome: FraudOutcome; reasons: FraudReason[] }

/** Whether a rule looks at such an order at all. */
export function looksAt(rule: FraudRule, facts: OrderFacts): boolean {
  if (!rule.isOn || rule.outcome === 'allow') return false
  if (rule.homesOnly && !facts.isHome) return false
  return !(rule.sparesCompanies && facts.isForCompany)
}

/**
 * Evaluates an order against the rules. `found` has each rule's lookup result (the number of earlier orders, declines
 * or cards, the distance in miles, or 1 for a match). The strictest outcome counts, and the reasons of all matching
 * rules are stored.
 */
export function judge(rules: readonly FraudRule[], facts: OrderFacts, found: ReadonlyMap<number, number>): Judgment {
  const reasons = rules.flatMap((rule) => {
    if (!looksAt(rule, facts) || !applies(rule, facts, found.get(rule.id) ?? 0)) return []
    return [{ rule: rule.id, outcome: outcomeFor(rule, facts), words: ruleWords(rule) }]
  })
  const strictest = Math.max(0, ...reasons.map(({ outcome }) => fraudOutcomes.indexOf(outcome)))
  return { outcome: fraudOutcomes[strictest] ?? 'allow', reasons }
}

/** Shoppers can't confirm an order with an appointment or a pickup (decision 012), so staff review it instead. */
function outcomeFor({ outcome }: FraudRule, { isHome }: OrderFacts): FraudOutcome {
  return outcome === 'confirm' && !isHome ? 'review' : outcome
}

function applies(rule: FraudRule, facts: OrderFacts, found: number): boolean {
  // The table restricts each kind to its parameters.
  const { most = 0, miles = 0, fromCents = 0, words = [] } = withoutNull(rule)
  switch (rule.kind) {
    case 'orders':
    case 'declines':
      return found >= most
    case 'cards':
      return found > most
    case 'ship-to-far':
      return facts.totalCents >= fromCents && found >= miles
    case 'resale':
      return facts.tires > most
    case 'dealer-names':
      return facts.names.some((name) => name !== null && namesDealer(name, words))
    case 'shop-address':
      return found > 0
    case 'first-order':
      return facts.totalCents >= fromCents && found > 0
  }
}

type Parameters = { most?: number; minutes?: number; miles?: number; fromCents?: number; words?: readonly string[] }

function withoutNull({ most, minutes, miles, fromCents, words }: FraudRule): Parameters {
  const all = Object.entries({ most, minutes, miles, fromCents, words })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

/** Whether a name or line has one of the words, as whole words and whatever their case. */
export function namesDealer(name: string, words: readonly string[]): boolean {
  const text = ` ${plainWords(name)} `
  return words.some((word) => {
    const plain = plainWords(word)
    return plain !== '' && text.includes(` ${plain} `)
  })
}

/** Letters and digits in small, with one space between words. */
export function plainWords(text: string): string {
  return text
    .slice(0, 300)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** Returns whether two streets match by house number and longest word. "St" and "Street" do not matter. */
export function isSameStreet(one: string, other: string): boolean {
  const [a, b] = [plainWords(one).split(' '), plainWords(other).split(' ')]
  if (a[0] === undefined || a[0] !== b[0] || !/^\d/.test(a[0])) return false
  return longestOf(a.slice(1)) !== '' && longestOf(a.slice(1)) === longestOf(b.slice(1))
}

const suffixes = new Set([
  'street',
  'avenue',
  'boulevard',
  'road',
  'drive',
  'lane',
  'court',
  'place',
  'highway',
  'parkway',
])
const directions = new Set(['north', 'south', 'east', 'west', 'northeast', 'northwest', 'southeast', 'southwest'])

function longestOf(words: readonly string[]): string {
  return words
    .filter((word) => !suffixes.has(word) && !directions.has(word))
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

const subjectWords: Readonly<Record<FraudSubject, string>> = {
  account: 'of one account',
  email: 'with one email',
  network: 'from one network',
  card: 'with one card',
  address: 'to one address',
}

/** What a rule looks for, in words for staff. */
export function ruleWords(rule: FraudRule): string {
  const { most = 0, minutes = 0, miles = 0, fromCents = 0, words = [] } = withoutNull(rule)
  switch (rule.kind) {
    case 'orders':
    case 'declines':
    case 'cards':
      return countedWords(rule, most, minutes)
    case 'ship-to-far':
      return `${countOf(miles, 'mile')} or more from the billing address, for ${formatCents(fromCents)} or more.`
    case 'resale':
      return `More than ${countOf(most, 'tire')}${rule.homesOnly ? ' to a home' : ''}.`
    case 'dealer-names':
      return `The name or address has ${words.map((word) => `“${word}”`).join(', ')}.`
    case 'shop-address':
      return 'The address is a tire shop.'
    case 'first-order':
      return `A first order for ${formatCents(fromCents)} or more.`
  }
}

function countedWords({ kind, subject }: FraudRule, most: number, minutes: number): string {
  const where = `${subject ? ` ${subjectWords[subject]}` : ''} in ${spanWords(minutes)}`
  if (kind === 'orders') return `More than ${countOf(most, 'order')}${where}.`
  if (kind === 'declines') return `${most} or more declined cards${where}.`
  return `More than ${countOf(most, 'card')} on one cart${where}.`
}

function spanWords(minutes: number): string {
  const words = Temporal.Duration.from({ minutes }).round({ largestUnit: 'hours' })
  if (words.minutes !== 0) return countOf(minutes, 'minute')
  if (words.hours % 24 === 0 && words.hours > 24) return countOf(words.hours / 24, 'day')
  return pluralForm(words.hours, 'an hour', countOf(words.hours, 'hour'))
}

/** How long staff have to decide on an order; then it is canceled. Card authorizations live seven days. */
export const reviewWithinHours = 48
