/** Lists as parameters of frequent statements. */
import { sql, type RawBuilder } from 'kysely'

type Types = { int: number; text: string }

/**
 * Returns a list for `= any(…)`. PostgreSQL replans a statement with an array parameter on every call, because the
 * array's length changes the plan. It reuses the plan of a statement with this list.
 */
export function sqlList<Type extends keyof Types>(
  type: Type,
  values: readonly Types[Type][],
): RawBuilder<Types[Type][]> {
  return sql<
    Types[Type][]
  >`array(select value::${sql.raw(type)} from json_array_elements_text(${JSON.stringify(values)}::json))`
}
