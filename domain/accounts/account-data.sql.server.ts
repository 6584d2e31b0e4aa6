/**
 * The statements behind the data of an account: what other parts of the store keep of its owner, and what of that goes
 * with the account.
 */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** Named as the file shows it, with instants as PostgreSQL writes them. */
export type KeptElsewhere = Record<
  | 'carts'
  | 'ordersInFull'
  | 'credit'
  | 'invitations'
  | 'mails'
  | 'questions'
  | 'reviews'
  | 'helpfulVotes'
  | 'partnerApplications',
  object[]
> & { brands: string[] | null; referralLink: string | null }

/**
 * What is kept of an account's owner outside the account, in one statement: by the account, or by its email where the
 * provider has verified it. Keys that open something are not in it.
 */
export async function selectKeptElsewhere(db: Database, accountId: string): Promise<KeptElsewhere> {
  const { rows } = await sql<{ kept: KeptElsewhere }>`
    with me as (
      select id, brands_restricted, case when email_verified_at is not null then email end as email from account where id = ${accountId}::uuid)
    select json_build_object(
      'brands', case when me.brands_restricted then (
        select coalesce(json_agg(brand.name order by brand.name), '[]') from account_brand join brand on brand.id = brand_id where account_id = me.id) end,
      'carts', (
        select coalesce(json_agg(json_build_object('changedAt', cart.updated_at, 'zip', cart.zip, 'vehicle', cart.vehicle, 'usesCredit', cart.uses_credit,
          'tires', (select coalesce(json_agg(json_build_object('itemId', item_id, 'quantity', quantity, 'addedAt', added_at) order by item_id), '[]')
            from cart_line where cart_id = cart.id),
          'contact', to_jsonb(contact) - 'cart_id', 'billing', to_jsonb(billing) - 'cart_id') order by cart.updated_at), '[]')
        from cart left join cart_contact contact on contact.cart_id = cart.id left join cart_billing billing on billing.cart_id = cart.id
        where cart.account_id = me.id and cart.state = 'open'),
      'ordersInFull', (
        select coalesce(json_agg(json_build_object('id', o.id, 'firstName', o.first_name, 'lastName', o.last_name, 'company', o.company, 'address1', o.address1,
          'address2', o.address2, 'city', o.city, 'state', o.state_code, 'zip', o.zip, 'instructions', o.instructions, 'email', o.email, 'phone', o.phone,
          'phoneExtension', o.phone_extension, 'phoneType', o.phone_type, 'shipTo', concat_ws(', ', o.ship_to_name, o.ship_to_street, o.ship_to_city, o.ship_to_state, o.ship_to_zip),
          'vehicle', o.vehicle, 'vehicleNote', o.vehicle_note, 'billing', o.billing, 'termsAcceptedAt', o.terms_accepted_at) order by o.id), '[]')
        from cart join sales_order o on o.cart_id = cart.id where cart.account_id = me.id),
      'credit', (
        select coalesce(json_agg(json_build_object('at', at, 'reason', reason, 'cents', -amount_cents) order by id), '[]')
        from ledger_entry where owner_id = me.id),
      'referralLink', (select code from referral_link where account_id = me.id),
      'invitations', (
        select coalesce(json_agg(json_build_object('company', company.name, 'role', invitation.role, 'at', invitation.created_at, 'acceptedAt', invitation.accepted_at)
          order by invitation.created_at), '[]')
        from company_invitation invitation join company on company.id = invitation.company_id where invitation.email = me.email),
      'mails', (
        select coalesce(json_agg(json_build_object('about', kind, 'promisedAt', created_at, 'sentAt', sent_at) order by created_at), '[]')
        from message where lower(to_address) = me.email),
      'questions', (
        select coalesce(json_agg(to_jsonb(asked) - array['id', 'said', 'network_key', 'closed_by']
          || jsonb_build_object('attachment', (select file.name from support_attachment file where file.request_id = asked.id)) order by asked.id), '[]')
        from support_request asked where lower(asked.email) = me.email),
      'reviews', (
        select coalesce(json_agg(to_jsonb(review) - array['id', 'product_line_id', 'writer_id', 'sample'] || jsonb_build_object('line', line.name) order by review.id), '[]')
        from review join product_line line on line.id = review.product_line_id where lower(review.email) = me.email),
      'helpfulVotes', (
        select coalesce(json_agg(json_build_object('review', review.summary, 'line', line.name, 'at', vote.at) order by vote.at), '[]')
        from review_vote vote join review on review.id = vote.review_id join product_line line on line.id = review.product_line_id where vote.account_id = me.id),
      'partnerApplications', (
        select coalesce(json_agg(to_jsonb(asked) - array['id', 'partner_id', 'network_key', 'decided_by'] order by asked.id), '[]')
        from partner_application asked where lower(asked.email) = me.email)
    ) as kept from me`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An account whose data was asked for is gone.')
  return row.kept
}

/**
 * Deletes what is kept of an account's owner and nobody else needs: who receives an open cart, and invitations and
 * mails to a verified email. An open cart that is being ordered is waited for, and is an order then.
 */
export async function deleteKeptElsewhere(tx: Tx, accountId: string): Promise<void> {
  const open = sql`select id from cart where account_id = ${accountId}::uuid and state = 'open'`
  await sql`${open} for update`.execute(tx)
  for (const table of ['cart_contact', 'cart_billing', 'cart_quote'])
    await sql`delete from ${sql.table(table)} where cart_id in (${open})`.execute(tx)
  const email = sql`(select email from account where id = ${accountId}::uuid and email_verified_at is not null)`
  await sql`delete from company_invitation where email = ${email}`.execute(tx)
  await sql`delete from message where order_id is null and lower(to_address) = ${email}`.execute(tx)
}
