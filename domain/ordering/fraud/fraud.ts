/** The browser-safe door of the rules against fraud and resale. */
import { z } from 'zod'
import { optionalText } from '#platform/form-fields.ts'

export {
  fraudKinds,
  fraudSubjects,
  hasParameter,
  outcomeWords,
  ruleWords,
  type FraudKind,
  type FraudOutcome,
  type FraudRule,
} from './fraud-rules.ts'
export { fraudRuleForm } from './rule-form.ts'

/** In characters. */
export const longestScreeningNote = 500

/** The form of a decision on a held order. Only staff see its note. */
export const screeningNoteForm = z.object({ note: optionalText(longestScreeningNote) })
