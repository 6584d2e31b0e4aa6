/** Parts of statements that read refunds beside what other folders own: for reports. */
import { sql, type RawBuilder } from 'kysely'

/**
 * The lines of the refunds that were approved from `from` until `until`: `units` of a line after `units_before` of
 * earlier refunds, and how many of them `kept_units` the store has again. It has those that never shipped, and those
 * whose return was accepted to be sold again or sent to the supplier.
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
 * The refund by staff that money of an order belongs to: that of the charge refund with `key`, or the one that was
 * approved `at` that instant with `cents` of store credit or off the invoice, as the ledger's `reason` says.
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
