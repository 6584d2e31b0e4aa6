/**
 * A detail page's actions, with one primary action that follows from the state, and a menu with the others in groups.
 * An action unavailable in this state stays at the end of the menu, with the reason.
 */

import type { OfficeIconName } from '#app/ui/office/office-icon.tsx'

export type DetailAction = {
  name: string
  path: string
  icon?: OfficeIconName
  /** The letter that the page's script follows the link for. */
  hotkey?: string
  /** Whether its form is open on the page. */
  isOpen?: boolean
}

export type ActionGroup = { name: string; actions: readonly DetailAction[] }

export type RefusedAction = { name: string; why: string }

export type DetailActions = {
  /** The next step. Null if this role can't take any. */
  primary: DetailAction | null
  groups: readonly ActionGroup[]
  refused: readonly RefusedAction[]
}

/** An action declared by its resource, for a role with access, with the reason it is unavailable, or null. */
export type OfferedAction = DetailAction & { group: string; whyNot: string | null }

/**
 * Arranges the actions of a role. `next` are the candidates for the primary one, the most urgent first; the first that is
 * there is taken, and is not repeated in the menu.
 */
export function arrangeActions(
  offered: readonly OfferedAction[],
  next: readonly (DetailAction | undefined)[],
): DetailActions {
  const primary = next.find((action) => action !== undefined) ?? null
  const possible = offered.filter(({ whyNot, path }) => whyNot === null && path !== primary?.path)
  return {
    primary,
    groups: [...Map.groupBy(possible, ({ group }) => group)].map(([name, actions]) => ({ name, actions })),
    refused: offered.flatMap(({ name, whyNot }) => (whyNot === null ? [] : [{ name, why: whyNot }])),
  }
}
