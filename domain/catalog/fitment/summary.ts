/**
 * Texts for a fitment result. They are short for a listing card, full for the product page, and a table with each
 * axle's requirement and tire.
 */
import { listOf } from './ruling.ts'
import { serviceDescription, isSameSize, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Axle, Finding, FitmentVerdict, OfferedTire, RuleId, TireFacts } from './terms.ts'
import { worst, type Level } from './verdict.ts'

export type AxleCell = { readonly text: string; readonly state: 'ok' | 'check' | 'no' }
export type AxleRow = {
  readonly label: 'Size' | 'Load' | 'Speed'
  readonly requirements: string
  readonly front: AxleCell | undefined
  readonly rear: AxleCell | undefined
}
export type AxleTable = readonly AxleRow[]

export type FitmentSummary = {
  readonly verdict: Level
  /** Green check, amber triangle, red cross. Unknown is amber, never a check. */
  readonly icon: 'y' | 'c' | 'n'
  /**
   * "Factory size for your CR-V EX" if only the door label is left to confirm; undefined otherwise. For tire lists on a
   * page that requests that confirmation once.
   */
  readonly factorySize: string | undefined
  /** For a listing: "Fits front and rear", "Does not fit: rated T, needs H". */
  readonly card: string
  readonly headline: string
  /** Text below the headline. It has every condition, or every reason with the strongest first, or the one question. */
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  /** What to check on the driver's door label before a catalog match can become "fits". */
  readonly labelQuestion: string | undefined
  readonly axles: AxleTable
}

/** Summarizes a verdict; `vehicleName` follows "your": "RAV4" on a card, "2021 RAV4 XLE" on a product page. */
export function summarizeVerdict(
  verdict: FitmentVerdict,
  { vehicleName = 'vehicle' }: { readonly vehicleName?: string | undefined },
): FitmentSummary {
  return {
    verdict: verdict.verdict,
    icon: icons[verdict.verdict],
    factorySize: isFactorySize(verdict) ? factorySizeText(vehicleName) : undefined,
    ...words[verdict.verdict](verdict, vehicleName),
    notes: verdict.notes.map(({ text }) => text),
    labelQuestion:
      verdict.source === 'catalog' && verdict.verdict === 'fits_with_conditions' ? labelQuestion(verdict) : undefined,
    axles: axleTable(verdict),
  }
}

/**
 * Whether a tire matches the listed factory size in every respect, so that the only condition left is to confirm that size
 * on the door label (rule FR2). Such a verdict is no warning about the tire.
 */
export function isFactorySize({
  verdict,
  conditions,
}: {
  readonly verdict: Level
  readonly conditions: readonly { readonly code: string }[]
}): boolean {
  return verdict === 'fits_with_conditions' && conditions.every(({ code }) => code === 'C-PLACARD')
}

/** "Factory size for your CR-V EX": the vehicle's listed size, which its door label has not confirmed yet. */
export function factorySizeText(vehicleName: string): string {
  return `Factory size for your ${vehicleName}`
}

type Words = { readonly card: string; readonly headline: string; readonly lines: readonly string[] }

const icons: Record<Level, FitmentSummary['icon']> = {
  fits: 'y',
  fits_with_conditions: 'c',
  unknown: 'c',
  does_not_fit: 'n',
}

const words: Record<Level, (verdict: FitmentVerdict, name: string) => Words> = {
  fits(verdict, name) {
    const where = placesOf(verdict)
    const requirements = verdict.input.requirement.configurations.map(
      ({ front, rear }) =>
        `size${also('load', front.loadIndex, rear.loadIndex)}${also('speed', front.speed, rear.speed)}`,
    )
    const matches =
      new Set(requirements).size > 1
        ? 'Matches every label your vehicle may have'
        : `Matches the label you confirmed: ${requirements[0]}`
    return {
      card: `Fits ${where}`,
      headline: `Fits your ${name}, ${where}`,
      lines: [`Fits. ${matches}, ${where}.`],
    }
  },
  fits_with_conditions({ source, findings, conditions }, name) {
    const clauses = findings.filter(({ condition }) => condition !== 'C-PLACARD').map(({ short }) => short)
    const condition = joinClauses(clauses)
    const lines = conditions.map(({ text }) => text)
    if (source === 'placard') return { card: `Fits ${condition}`, headline: `Fits your ${name} if:`, lines }
    const listed = `Listed for your ${name}`
    const factorySize = `${factorySizeText(name)}; confirm it once on your door label`
    return condition === ''
      ? { card: factorySize, headline: factorySize, lines }
      : { card: `${listed} ${condition}; confirm on the door label`, headline: `${listed}. Fits if:`, lines }
  },
  unknown({ findings }) {
    const question = findings.find(({ level }) => level === 'unknown')
    return {
      card: `Can't say yet: ${question?.short ?? ''}`,
      headline: "We can't say yet",
      lines: question ? [question.text] : [],
    }
  },
  does_not_fit(verdict, name) {
    const refusals = verdict.findings.filter(({ level }) => level === 'does_not_fit')
    const reason = refusals[0]
    const where = reason ? onlyAxleRefused(reason, verdict) : ''
    const short = reason?.short ?? ''
    return {
      card: `Does not fit${where}: ${short}`,
      headline: `Does not fit your ${name}${where}: ${short}`,
      lines: [...new Set(refusals.map(({ text }) => text)), `We won't install this on your ${name}.`],
    }
  },
}

/** "front and rear", "the rear axle", "as your spare". */
function placesOf({ front, rear, input }: FitmentVerdict): string {
  if (input.context.spare) return 'as your spare'
  return front && rear ? 'front and rear' : `the ${front ? 'front' : 'rear'} axle`
}

/** ", load 89 front and 99 rear"; "" if the label does not say. */
function also(what: string, front: string | number | undefined, rear: string | number | undefined): string {
  if (front === undefined || rear === undefined) return ''
  return `, ${what} ${front === rear ? front : `${front} front and ${rear} rear`}`
}

/** ["if a", "if b", "with c"] → "if a and b, with c". */
function joinClauses(clauses: readonly string[]): string {
  const distinct = [...new Set(clauses)]
  const conditions = distinct.filter((clause) => clause.startsWith('if ')).map((clause) => clause.slice('if '.length))
  const others = distinct.filter((clause) => !clause.startsWith('if '))
  return [...(conditions.length > 0 ? [`if ${listOf(conditions, 'and')}`] : []), ...others].join(', ')
}

/** " in the rear" if the reason is one axle's and the other axle is not refused. */
function onlyAxleRefused({ axle }: Finding, { front, rear }: FitmentVerdict): string {
  const other = axle === 'front' ? rear : front
  const refused =
    axle !== 'set' &&
    other &&
    other.verdict !== 'does_not_fit' &&
    (axle === 'front' ? front : rear)?.verdict === 'does_not_fit'
  return refused ? ` ${axle === 'front' ? 'in front' : 'in the rear'}` : ''
}

/** Rule book section 9. */
function labelQuestion({ input }: FitmentVerdict): string {
  const sizes = (axle: Axle) =>
    listOf(new Set(input.requirement.configurations.map((configuration) => sizeOf(configuration[axle]))), 'or')
  const [front, rear] = [sizes('front'), sizes('rear')]
  return `Open the driver's door. On the label find size for FRONT and REAR, e.g. ${sizeOf(input.requirement.configurations[0]?.front ?? {})}. Does it say ${front} front and ${rear} rear? Are these the wheels it came with?`
}

function axleTable(verdict: FitmentVerdict): AxleTable {
  return rows.map(({ label, show, rules }) => {
    const needed = (axle: Axle) =>
      listOf(new Set(verdict.input.requirement.configurations.map((configuration) => show(configuration[axle]))), 'or')
    const [front, rear] = [needed('front'), needed('rear')]
    return {
      label,
      requirements: front === rear ? front || notKnown : `${front} front, ${rear} rear`,
      front: cellOf('front', label, show, rules, verdict),
      rear: cellOf('rear', label, show, rules, verdict),
    }
  })
}

type Show = (tire: TireFacts) => string

function cellOf(
  axle: Axle,
  label: AxleRow['label'],
  show: Show,
  rules: ReadonlySet<RuleId>,
  verdict: FitmentVerdict,
): AxleCell | undefined {
  const { candidate, requirement } = verdict.input
  const judged = verdict[axle]
  if (!judged) return undefined
  const tire: OfferedTire = candidate[axle] ?? candidate.front ?? {}
  const requirements = requirement.configurations.map((configuration) => configuration[axle])
  const same =
    label === 'Size' &&
    requirements.length > 0 &&
    requirements.every(({ size }) => size && tire.size && isSameSize(size, tire.size))
  const level = worst(
    verdict.findings
      .filter((finding) => finding.axle === axle && rules.has(finding.rule))
      .map((finding) => finding.level),
  )
  const settled = judged.verdict !== 'unknown' || new Set(requirements.map(show)).size === 1
  const known = [tire, ...requirements].every((facts) => show(facts) !== notKnown)
  const trusted = verdict.source === 'placard' || verdict.source === 'catalog'
  const state = level === 'does_not_fit' ? 'no' : level === 'fits' && settled && known && trusted ? 'ok' : 'check'
  return { text: same ? 'Same' : show(tire), state }
}

const notKnown = 'not known'

function sizeOf({ size }: TireFacts): string {
  return size ? sizeDesignation(size) : notKnown
}

const rows: readonly { label: AxleRow['label']; show: Show; rules: ReadonlySet<RuleId> }[] = [
  {
    label: 'Size',
    show: sizeOf,
    rules: new Set<RuleId>([
      'FR4',
      'FR5',
      'FR7',
      'FR8',
      'FR9',
      'FR14',
      'FR15',
      'FR30',
      'FR35',
      'FR36',
      'FR37',
      'FR38',
      'FR44',
    ]),
  },
  {
    label: 'Load',
    show: ({ loadIndex, dualLoadIndex }) => serviceDescription({ loadIndex, dualLoadIndex }) || notKnown,
    rules: new Set<RuleId>(['FR10', 'FR11', 'FR12', 'FR13', 'FR16', 'FR17', 'FR39']),
  },
  { label: 'Speed', show: ({ speed }) => speed ?? notKnown, rules: new Set<RuleId>(['FR18', 'FR19', 'FR20']) },
]
