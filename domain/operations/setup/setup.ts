/** Store setup steps and their states. Safe in the browser. */
export {
  setupGroups,
  setupProgress,
  stepStates,
  type SetupFacts,
  type SetupProgress,
  type SetupStepName,
  type StepView,
} from './steps.ts'
export { type SetupCheck, type SetupCheckKind } from './checks.ts'
