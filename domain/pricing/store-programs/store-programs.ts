/** A store's services in addition to tires and installation. Safe in the browser. */
import type { CoveragePlan } from '#domain/pricing/pricing/pricing.ts'

/** Our own store, or one under a shop's name. */
export type StoreKind = 'own' | 'branded'

const programs = {
  own: { replacementCoverage: true, roadHazardPlan: false, mobileInstallation: true },
  // It sells only the shop's plan, and installs only at that shop (requirement I7).
  branded: { replacementCoverage: false, roadHazardPlan: true, mobileInstallation: false },
} as const satisfies Record<StoreKind, Record<string, boolean>>

/** A program that some stores sell and others do not. */
export type StoreProgram = keyof (typeof programs)['own']

/** The names of all programs, for copy that depends on one. */
export const storePrograms = Object.keys(programs.own) as [StoreProgram, ...StoreProgram[]]

/** Whether stores of this kind sell the program. */
export function sellsProgram(store: StoreKind, program: StoreProgram): boolean {
  return programs[store][program]
}

export function isStoreProgram(name: string): name is StoreProgram {
  return Object.hasOwn(programs.own, name)
}

/** The kind of the visited store; `brandedStore` is the branded one, if it is one. */
export function storeKindOf(brandedStore: object | null | undefined): StoreKind {
  return brandedStore ? 'branded' : 'own'
}

/** Which plan covers tires bought in a store of this kind. */
export function planIn(store: StoreKind): CoveragePlan {
  return sellsProgram(store, 'roadHazardPlan') ? 'road-hazard' : 'replacement'
}
