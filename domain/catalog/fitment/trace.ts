/** Explains every rule applied to a fitment result, with the check, its location and its outcome. */
import type { Axle, FitmentVerdict, RuleId } from './terms.ts'
import type { Level } from './verdict.ts'

export type RuleTrace = {
  readonly rule: RuleId
  /** "The tire is for wheels of this diameter". */
  readonly checked: string
  readonly axle: Axle | 'set'
  /** `fits`: passed. */
  readonly level: Level
  /** The finding; null if the rule passed. */
  readonly text: string | null
}

/**
 * Lists failed rules, strongest first, then those passed on the whole vehicle. A finding common to both axles is listed
 * once, for the vehicle.
 */
export function traceRules({ findings, passed }: Pick<FitmentVerdict, 'findings' | 'passed'>): RuleTrace[] {
  const alike = Map.groupBy(findings, ({ rule, level, text }) => `${rule} ${level} ${text}`)
  return [
    ...[...alike.values()].flatMap(([first, ...others]) => {
      if (!first) return []
      const { rule, axle, level, text } = first
      return [{ rule, axle: others.length === 0 ? axle : ('set' as const), level, text, checked: checks[rule] ?? rule }]
    }),
    ...passed.map((rule) => ({
      rule,
      axle: 'set' as const,
      level: 'fits' as const,
      text: null,
      checked: checks[rule] ?? rule,
    })),
  ]
}

/** The rules of docs/rules/fitment.md as short questions. */
const checks: Partial<Record<RuleId, string>> = {
  FR1: 'Size, load, speed and quantity are known',
  FR2: 'Where your vehicle’s size comes from',
  FR3: 'Trim and package are settled',
  FR4: 'Tire and label name the same kind',
  FR5: 'Made for wheels of this diameter',
  FR6: 'The size listed for this axle',
  FR7: 'A size of other trims',
  FR8: 'Height within 3 %',
  FR9: 'Wheel width in the approved range',
  FR10: 'Carries the listed load',
  FR11: 'Carries it as another kind of tire',
  FR12: 'Carries the axle rating',
  FR13: 'Load range as listed',
  FR14: 'Light-truck tires where they are listed',
  FR15: 'Light-truck tires elsewhere',
  FR16: 'Load class as listed',
  FR17: 'Takes the pressure on the label',
  FR18: 'As fast as listed',
  FR19: 'Slower only as an exception',
  FR20: 'ZR with its letter',
  FR21: 'Which axle a pair is for',
  FR23: 'One size where one is listed',
  FR24: 'Left and right alike',
  FR25: 'A single tire has its mate',
  FR26: 'New pair on the rear axle',
  FR27: 'Treads match on all-wheel drive',
  FR28: 'Front and rear turn together',
  FR29: 'Winter tires on all wheels',
  FR30: 'No mix of kinds or builds',
  FR31: 'No mix of run-flat and regular',
  FR32: 'Run-flat as listed',
  FR33: 'A run-flat’s pressure is watched',
  FR34: 'Carmaker mark as listed, alike on both axles',
  FR35: 'Temporary spare only as a spare',
  FR36: 'Trailer tires only on trailers',
  FR37: 'Heavy-truck tires only where listed',
  FR38: 'Sizes in inches for sizes in millimeters',
  FR39: 'Rated for wheels side by side',
  FR43: 'Not too old',
  FR44: 'Your own wheels are described',
  FR48: 'Listed by the tire’s brand',
}
