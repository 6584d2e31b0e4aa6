import { canUse } from '#app/office/page-parts.ts'
import { setupProgress, stepStates, type SetupProgress, type StepView } from '#domain/operations/setup/setup.ts'
import { officePaths } from '#content/office-paths.ts'
import { awaitSampleTires } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { countOf } from '#platform/count-text.ts'
import { readSetupFacts, readSetupSamples, type SetupSamples } from '#domain/operations/setup/setup.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import type { Application } from '#application'

/** The setup as its page and Home show it. */
export type SetupView = {
  storeName: string
  isOpen: boolean
  steps: StepView[]
  progress: SetupProgress
  mayManage: boolean
  mayOpen: boolean
}

/** Reads the setup. */
export async function readSetup(app: Application, roles: readonly StaffRole[]): Promise<SetupView> {
  const facts = await readSetupFacts(app)
  const steps = stepStates(facts)
  return {
    storeName: facts.store.name,
    isOpen: facts.isOpen,
    steps,
    progress: setupProgress(steps),
    mayManage: canUse(roles, 'setup-checks'),
    mayOpen: canUse(roles, 'store-state'),
  }
}

/** The setup for the pages around it, or null for roles without it and once the store is open. */
export async function readOpenSetup(app: Application, roles: readonly StaffRole[]): Promise<SetupView | null> {
  return app.settings.isOpen || !staffCan(roles, 'setup.read') ? null : readSetup(app, roles)
}

/** The sample tires on the page of the setup. */
export type SamplesView = { texts: string[]; importPath: string | null; act: 'load' | 'remove' | null }

/** Reads the sample tires; null for roles that can't load them. `isWaiting` gives the worker a few seconds. */
export async function readSamplesView(
  app: Application,
  roles: readonly StaffRole[],
  isWaiting: boolean,
): Promise<SamplesView | null> {
  if (!staffCan(roles, 'catalog.import')) return null
  if (isWaiting) await awaitSampleTires(app)
  const samples = await readSetupSamples(app)
  return {
    texts: samplesTexts(samples),
    importPath: samples.state === 'failed' && samples.runId !== null ? officePaths.officeImport(samples.runId) : null,
    act: samples.canLoad ? 'load' : samples.state === 'loaded' || samples.state === 'failed' ? 'remove' : null,
  }
}

function samplesTexts({ state, tires, canLoad, hasWarehouse }: SetupSamples): string[] {
  if (state === 'working') return ['The sample tires are being loaded or removed. Reload the page in a moment.']
  if (state === 'failed') return ['The sample tires could not be loaded or removed completely.']
  if (state === 'loaded')
    return [
      `${countOf(tires, 'sample tire')} with stock. Brands and item numbers begin with Sample. Remove them before you open.`,
    ]
  const left =
    tires > 0
      ? [
          `${countOf(tires, 'sample tire')} stayed in the catalog, because orders or carts use them. They are not for sale.`,
        ]
      : ['No sample tires are loaded.']
  if (canLoad)
    return [...left, 'Load 160 made-up tires with stock to try out the store. You can remove them in one step.']
  return [...left, hasWarehouse ? 'They need an empty catalog.' : 'They need a warehouse and an empty catalog.']
}
