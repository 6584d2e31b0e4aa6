/** SQL fragments that join refunds with other folders' tables, for reports. */
import { sql, type RawBuilder } from 'kysely'

/**
 * Lines of refunds approved from `from` until `until`. Each has the `units` refunded after `units_before` of earlier
 * refunds, and the `kept_units` back in stock, which never shipped or were accepted for resale or return to the
 * supplier.
 */
export function refundedLineRows({
  from,
  until,
}: {
  from: Temporal.Instant
  until: Temporal.Instant
}): RawBuilder<unknown> {
  return sql`
    select refund.id as refund_id, refund.order_id, refund.decided_at, line.line_no, line.units, line.net_cents,
      (select coalesce(sum(earlier_line.units), 0)::int from order_refund_line as earlier_line join order_refund as earlier on earlier.id = earlier_line.refund_id
        where earlier_line.order_id = line.order_id and earlier_line.line_no = line.line_no and earlier.state = 'approved' and (earlier.decided_at, earlier.id) < (refund.decided_at, refund.id)) as units_before,
      case when refund.kind <> 'refund' then line.units else (
        select count(*)::int from return_tire where return_tire.order_refund_id = refund.id and return_tire.line_no = line.line_no
          and return_tire.outcome in ('restock', 'blemished', 'supplier')) end as kept_units
    from order_refund as refund join order_refund_line as line on line.refund_id = refund.id
    where refund.state = 'approved' and refund.decided_at >= ${from.toString()}::timestamptz and refund.decided_at < ${until.toString()}::timestamptz`
}

/**
 * The staff refund behind an order's money. Finds the charge refund with `key`, or the refund approved `at` that
 * instant with `cents` of store credit or invoice reduction, as in the ledger's `reason`.
 */
export function refundOfMoney(
  money: Record<'orderId' | 'key' | 'reason' | 'at' | 'cents', RawBuilder<unknown>>,
): RawBuilder<unknown> {
  return sql`
    select reason, bearer, credit_cents from order_refund
    where order_refund.order_id = ${money.orderId} and order_refund.state = 'approved' and (
      'order-refund:' || order_refund.id::text = split_part(${money.key}, '+', 1)
      or ${money.reason} = 'credit refunded' and decided_at = ${money.at} and credit_cents = ${money.cents}
      or ${money.reason} = 'invoice lowered' and decided_at = ${money.at} and invoice_cents = ${money.cents})
    order by id limit 1`
}
