/**
 * Expected refusals are values. A use case returns `ok(value)` or `refused(reason, detail)` with a reason from its own
 * union type, so code that doesn't handle a reason fails to compile. Unexpected errors throw.
 */
export type Ok<Value> = { readonly ok: true; readonly value: Value }
export type Refused<Reason extends string, Detail = undefined> = {
  readonly ok: false
  readonly reason: Reason
  readonly detail: Detail
}
/** `Outcome<Value, Refused<'a'> | Refused<'b', Detail>>` */
export type Outcome<Value, Refusal extends Refused<string, unknown> = never> = Ok<Value> | Refusal

export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value }
}

export function refused<Reason extends string>(reason: Reason): Refused<Reason>
export function refused<Reason extends string, const Detail>(reason: Reason, detail: Detail): Refused<Reason, Detail>
export function refused<Reason extends string, Detail>(
  reason: Reason,
  detail?: Detail,
): Refused<Reason, Detail | undefined> {
  return { ok: false, reason, detail }
}
