/** The browser-safe door of the rules against fraud and resale. */
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
