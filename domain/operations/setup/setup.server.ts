/** The store's setup, with its data, on-demand checks, and opening the store. */
export { readSetupFacts, type SetupDeps } from './facts.server.ts'
export {
  checkCarrier,
  checkEmailDomain,
  finishTestCharge,
  sendTestEmail,
  startTestCharge,
} from './run-checks.server.ts'
export { checkProvidersOf, type CheckProviders } from './check-providers.server.ts'
export { loadSamples, readSetupSamples, type SetupSamples } from './samples.server.ts'
export { closeCheckCart, openCheckCart } from './check-cart.server.ts'
export { goLive, type Finding, type GoLiveDeps, type GoLiveRefusal } from './go-live.server.ts'
