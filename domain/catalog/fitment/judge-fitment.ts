/** Evaluates fitment by applying every rule of the rule book to each possible vehicle and axle. */
import { matchSize } from './rules-size.ts'
import { makerTreadTolerance32 } from './rules-set.ts'
import { notesOn } from './rules-state.ts'
import { rulesForAnyVehicle, rulesForListedVehicle, rulesForSet, strengthOf } from './rules.ts'
import { ask, onlyIf } from './ruling.ts'
import { serviceDescription, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type {
  Axle,
  AxleCase,
  AxleVerdict,
  Candidate,
  Finding,
  FitmentInput,
  FitmentVerdict,
  Requirement,
  VehicleConfiguration,
  OfferedTire,
  RuleId,
  Ruling,
  SetCase,
} from './terms.ts'
import { acrossConfigurations, capOf, isWorse, levels, worse, worst, type Level } from './verdict.ts'

/** Stored with every verdict, so that an old one can be explained. Raise it with every rule change. */
export const ruleBookVersion = '2027.01.1'

/**
 * Evaluates a vehicle's requirement against the tires per axle and the context, and returns one of four results with
 * every reason. Never throws; missing data gives `unknown`. Sizes must be parsed already.
 */
export function judgeFitment(input: FitmentInput): FitmentVerdict {
  const { source, sourceDate } = input.requirement
  const possibilities = judgePossibilities(input)
  const cap = capOf(source)
  const uncapped = acrossConfigurations(possibilities.map(({ level }) => level))
  const verdict = worse(uncapped, cap)
  const findings = [...joinFindings(possibilities, uncapped, input), ...sourceFindings(input.requirement)].toSorted(
    strongestFirst,
  )
  const axle = (name: Axle) => judgeAxle(name, possibilities, cap, findings)
  return {
    verdict,
    front: axle('front'),
    rear: axle('rear'),
    findings,
    rules: decidingRules(verdict, findings, possibilities),
    passed: passedEverywhere(possibilities),
    conditions: verdict === 'fits_with_conditions' ? conditionsOf(findings) : [],
    notes: notesOn(input, possibilities, verdict),
    source,
    sourceDate,
    ruleBook: ruleBookVersion,
    input,
  }
}

/**
 * Rule FR46. No button, role or account can override a refusal. Such a line does not reach installation checkout for
 * that vehicle. Call it at every entry point to installation. Without a result, it returns false.
 */
export function isInstallationRefused(judged: { readonly verdict: Level } | null | undefined): boolean {
  return judged?.verdict === 'does_not_fit'
}

/**
 * Returns the requirements for buying `quantity` units of an item instead of a full set, such as a pair's axle, the
 * tires that must stay, and how closely the treads on all-wheel drive must match. For a set of two items, `axle`
 * identifies the pair. Strongest first. Empty without listed sizes, because the remaining tires are then unknown.
 */
export function partialSetFindings(verdict: FitmentVerdict, quantity: 1 | 2 | 3, axle?: Axle): Finding[] {
  const { requirement, candidate, context } = verdict.input
  const offered =
    axle === undefined
      ? candidate
      : axle === 'front'
        ? { front: candidate.front }
        : { rear: candidate.rear ?? candidate.front }
  const makersFigure = makerTreadTolerance32[requirement.make ?? '']
  const part = judgeFitment({
    requirement,
    candidate: offered,
    context: { ...context, quantity, axle, makerTreadTolerance32: makersFigure },
  })
  const said = new Set(verdict.findings.map(({ text }) => text))
  return part.findings.filter(({ rule, text }) => partialRules.has(rule) && !said.has(text))
}

/** One possible vehicle with the tires on one possible axle, judged. */
type Possibility = {
  readonly level: Level
  readonly axles: Readonly<Record<Axle, Level | undefined>>
  readonly cases: readonly AxleCase[]
  readonly findings: readonly Finding[]
  readonly passed: readonly RuleId[]
}

function judgePossibilities(input: FitmentInput): Possibility[] {
  const listed = isListed(input.requirement)
  const configurations =
    input.requirement.configurations.length > 0 && input.requirement.source !== 'none'
      ? input.requirement.configurations
      : [nothingKnown]
  return configurations.flatMap((configuration) =>
    placements(configuration, input).map((placed) => judgePossibility(configuration, placed, input, listed)),
  )
}

/** Which axles get which tires. A pair on a staggered vehicle without a named axle has two possibilities (FR21). */
function placements(
  configuration: VehicleConfiguration,
  { candidate, context, requirement }: FitmentInput,
): Candidate[] {
  const { front, rear } = candidate
  if (!front && !rear) return [{ front: unknownTire, rear: unknownTire }]
  if (!front || rear) return [candidate]
  const onAll = [{ front, rear: front }]
  if (context.spare || (context.quantity ?? 0) >= wheelsOf(requirement)) return onAll
  if (context.axle) return [context.axle === 'front' ? { front } : { rear: front }]
  return isStaggered(configuration) && context.quantity !== undefined && context.quantity < 3
    ? [{ front }, { rear: front }]
    : onAll
}

function judgePossibility(
  configuration: VehicleConfiguration,
  placed: Candidate,
  { requirement: vehicle, context }: FitmentInput,
  listed: boolean,
): Possibility {
  const front = caseOf('front', placed.front)
  const rear = caseOf('rear', placed.rear)
  const cases = [front, rear].filter((at) => at !== undefined)
  const findings: Finding[] = []
  const passed: RuleId[] = []
  const note = (rule: RuleId, axle: Axle | 'set', ruling: Ruling) => {
    if (ruling === 'passed') passed.push(rule)
    else if (ruling !== 'silent') findings.push({ ...ruling, rule, axle })
  }
  for (const [id, judge] of listed ? rulesForListedVehicle : rulesForAnyVehicle)
    for (const at of cases) note(id, at.axle, judge(at))
  if (listed) {
    const partial =
      !context.spare && (cases.length < 2 || (context.quantity !== undefined && context.quantity < wheelsOf(vehicle)))
    const set: SetCase = { configuration, front, rear, vehicle, context, partial }
    for (const [id, judge] of rulesForSet) note(id, 'set', judge(set))
  }
  const levelOf = (axle: Axle) => worst(findings.filter((finding) => finding.axle === axle).map(({ level }) => level))
  return {
    level: worst(findings.map(({ level }) => level)),
    axles: { front: front && levelOf('front'), rear: rear && levelOf('rear') },
    cases,
    findings,
    passed,
  }

  function caseOf(axle: Axle, tire: OfferedTire | undefined): AxleCase | undefined {
    const requirement = configuration[axle]
    if (!tire) return undefined
    const wheelRimIn = requirement.wheelRimIn ?? (vehicle.aftermarketWheels ? undefined : requirement.size?.rimIn)
    const tiresWord = context.spare
      ? 'spare'
      : configuration.front.loadIndex === configuration.rear.loadIndex
        ? 'tires'
        : `${axle} tires`
    return {
      axle,
      requirement,
      tire,
      vehicle,
      context,
      match: matchSize(requirement, tire, vehicle),
      tiresWord,
      wheelRimIn,
    }
  }
}

/**
 * Returns findings common to all possibilities that still count. While the result is open, a refusal in one of them
 * isn't a finding yet.
 */
function joinFindings(possibilities: readonly Possibility[], level: Level, { requirement }: FitmentInput): Finding[] {
  const all = possibilities.flatMap(({ findings }) => findings)
  if (possibilities.length === 1) return all
  all.sort((a, b) => strengthOf(a.rule) - strengthOf(b.rule))
  const distinct = all.filter((finding, index) => all.findIndex((other) => isSameFinding(finding, other)) === index)
  if (level !== 'unknown') return distinct
  const open = distinct.filter((finding) => !isWorse(finding.level, level))
  if (!isListed(requirement)) return open
  const questions = openQuestions(requirement, possibilities)
  return possibilities.every((possibility) => possibility.level === 'unknown')
    ? [...open, ...questions]
    : [...questions, ...open]
}

/** FR3 if trim or year is open, FR21 if the axle is. */
function openQuestions(requirement: Requirement, possibilities: readonly Possibility[]): Finding[] {
  const questions: Finding[] = []
  const sizes = new Set(requirement.configurations.map(({ front, rear }) => `${sizeText(front)} ${sizeText(rear)}`))
  const versions = new Set(
    requirement.configurations.map(({ front, rear }) => `${serviceDescription(front)} ${serviceDescription(rear)}`),
  )
  const axleIsOpen = possibilities.length > requirement.configurations.length
  const disagree = possibilities.some(({ level }) => level !== possibilities[0]?.level)
  if (sizes.size > 1) {
    questions.push(
      question(
        'FR3',
        `Your model came with ${sizes.size} tire sizes. Which one is on your door label?`,
        'which size is on your door label?',
      ),
    )
  } else if (versions.size > 1 || (disagree && !axleIsOpen)) {
    const text =
      'Your model came with this size in more than one version. Which load index and speed are on your door label?'
    questions.push(question('FR3', text, 'which load index and speed are on your door label?'))
  }
  if (axleIsOpen)
    questions.push(
      question('FR21', 'Front and rear tires differ on this car. Which pair do you need?', 'front or rear pair?'),
    )
  return questions
}

/** FR2: the limit set by the source of the requirement. */
function sourceFindings({ source }: Requirement): Finding[] {
  switch (source) {
    case 'placard':
      return []
    case 'catalog': {
      const listed = onlyIf(
        'C-PLACARD',
        "Listed for your vehicle. Confirm on the driver's door label.",
        'confirm on the door label',
      )
      return [{ ...listed, rule: 'FR2', axle: 'set' }]
    }
    case 'weak':
      return [
        question(
          'FR2',
          "Our list for your vehicle is not certain. What size is on the driver's door label?",
          'what size is on your door label?',
        ),
      ]
    case 'none':
      return [
        question(
          'FR2',
          "We don't have the tire size of your vehicle. What size is on the driver's door label?",
          'what size is on your door label?',
        ),
      ]
  }
}

function question(rule: RuleId, text: string, short: string): Finding {
  return { ...ask(text, short), rule, axle: 'set' }
}

function judgeAxle(
  axle: Axle,
  possibilities: readonly Possibility[],
  cap: Level,
  findings: readonly Finding[],
): AxleVerdict | undefined {
  if (possibilities.every(({ axles }) => axles[axle] === undefined)) return undefined
  const verdict = worse(acrossConfigurations(possibilities.map(({ axles }) => axles[axle] ?? 'fits')), cap)
  const name = axle === 'front' ? 'Front' : 'Rear'
  if (verdict === 'fits') return { verdict, text: `${name}: the listed size, with enough load and speed.` }
  const reason = findings.find(
    (finding) => finding.level === verdict && (finding.axle === axle || wholeVehicle.has(finding.rule)),
  )
  return { verdict, text: `${name}: ${reason?.text ?? 'see the other axle.'}` }
}

function decidingRules(verdict: Level, findings: readonly Finding[], possibilities: readonly Possibility[]): RuleId[] {
  const rules =
    verdict === 'fits'
      ? possibilities.flatMap(({ passed }) => passed)
      : findings.flatMap(({ level, rule }) => (level === verdict ? [rule] : []))
  return [...new Set(rules)]
}

function passedEverywhere(possibilities: readonly Possibility[]): RuleId[] {
  const faulted = new Set(possibilities.flatMap(({ findings }) => findings.map(({ rule }) => rule)))
  const [first, ...others] = possibilities
  return [...new Set(first?.passed)].filter(
    (rule) => !faulted.has(rule) && others.every(({ passed }) => passed.includes(rule)),
  )
}

function conditionsOf(findings: readonly Finding[]): FitmentVerdict['conditions'] {
  const all = findings.flatMap(({ condition, text }) => (condition ? [{ code: condition, text }] : []))
  return all.filter(
    ({ code, text }, index) => all.findIndex((other) => other.code === code && other.text === text) === index,
  )
}

/** Whether the source has sizes to judge by. */
function isListed({ source }: Requirement): boolean {
  return source === 'placard' || source === 'catalog'
}

function isStaggered({ front, rear }: VehicleConfiguration): boolean {
  return sizeText(front) !== sizeText(rear) || front.loadIndex !== rear.loadIndex || front.speed !== rear.speed
}

function wheelsOf({ dualRearWheels }: Requirement): number {
  return dualRearWheels ? 6 : 4
}

function sizeText({ size }: { size?: VehicleConfiguration['front']['size'] }): string {
  return size ? sizeDesignation(size) : ''
}

function isSameFinding(a: Finding, b: Finding): boolean {
  return a.rule === b.rule && a.axle === b.axle && a.text === b.text
}

function strongestFirst(a: Finding, b: Finding): number {
  return levels.indexOf(a.level) - levels.indexOf(b.level)
}

const nothingKnown: VehicleConfiguration = { front: {}, rear: {} }
const unknownTire: OfferedTire = {}
/** Rules about the whole vehicle, and so both axles. */
const wholeVehicle: ReadonlySet<RuleId> = new Set<RuleId>(['FR2', 'FR3', 'FR21'])
/** Rules about the tires that stay on the vehicle. */
const partialRules: ReadonlySet<RuleId> = new Set<RuleId>([
  'FR21',
  'FR23',
  'FR24',
  'FR25',
  'FR26',
  'FR27',
  'FR29',
  'FR30',
  'FR31',
])
