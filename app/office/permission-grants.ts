/** What one permission opens, by label. */
export type PermissionGrants = {
  pages: readonly string[]
  actions: readonly string[]
  /** Such as "Orders: Email". */
  fields: readonly string[]
}
