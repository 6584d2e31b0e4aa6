import type { RawBuilder } from 'kysely'

/** The items a visitor can buy. */
export type SoldItems = {
  /** Returns SQL, such as "and ...", that limits a query to them by the model's id in `column`. Empty for all items. */
  andSold(column: string): RawBuilder<unknown>
}
