import { setupProgress, stepStates, type SetupProgress, type StepView } from '#domain/operations/setup/setup.ts'
import { readSetupFacts } from '#domain/operations/setup/setup.server.ts'
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
    mayManage: staffCan(roles, 'setup.manage'),
    mayOpen: staffCan(roles, 'store.open'),
  }
}

/** The setup for the pages around it, or null for roles without it and once the store is open. */
export async function readOpenSetup(app: Application, roles: readonly StaffRole[]): Promise<SetupView | null> {
  return app.settings.isOpen || !staffCan(roles, 'setup.read') ? null : readSetup(app, roles)
}
