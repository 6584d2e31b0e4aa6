/** A company member's spending limit, for its owners and for staff. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { limitOf, roleNames, type RoleLimits, type Spender } from '#domain/customers/companies/companies.ts'
import { formatCents, typedDollars } from '#platform/money.ts'

export function memberLimitView(
  member: Spender & { accountId: string; name: string | null; email: string | null },
  limits: RoleLimits,
) {
  const cents = limitOf(limits, member)
  return {
    id: member.accountId,
    who: member.name ?? member.email ?? 'Someone',
    role: roleNames[member.role],
    now: cents === null ? 'no limit' : `up to ${formatCents(cents)}`,
    rule: member.limit.by,
    amount: member.limit.by === 'own' ? typedDollars(member.limit.cents) : '',
    approves: member.approves,
    isBuyer: member.role === 'buyer',
  }
}
export type MemberLimitView = ReturnType<typeof memberLimitView>

const rules = { role: 'As the role', none: 'No limit', own: 'Up to this amount' } as const

export function MemberLimitForm({ member, reply }: { member: MemberLimitView; reply: FormReply | undefined }) {
  const { id, who, role, now } = member
  const typed = (name: string) => reply?.values[name]
  return (
    <form method="post" className="stack" noValidate>
      <p>
        <b>{who}</b>
        <span className="small muted">
          {' '}
          {role}, {now}
        </span>
      </p>
      <ErrorSummary reply={reply} labels={{ amount: 'Amount' }} />
      <input type="hidden" name="member" value={id} />
      <div className="row wrap-row member-limit">
        <select
          className="input"
          name="rule"
          aria-label={`Spending limit for ${who}`}
          defaultValue={typed('rule') ?? member.rule}
        >
          {Object.entries(rules).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <input
          className="input tabular"
          name="amount"
          aria-label={`Amount in dollars for ${who}`}
          placeholder="Dollars"
          inputMode="decimal"
          maxLength={20}
          autoComplete="off"
          size={10}
          defaultValue={typed('amount') ?? member.amount}
          aria-invalid={reply?.errors['amount'] !== undefined || undefined}
        />
        {member.isBuyer ? (
          <label className="row">
            <input
              type="checkbox"
              name="approves"
              value="1"
              defaultChecked={reply ? typed('approves') === '1' : member.approves}
            />{' '}
            Approves orders of others
          </label>
        ) : null}
        <button className="btn" name="intent" value="member" aria-label={`Save the limit of ${who}`}>
          Save
        </button>
      </div>
    </form>
  )
}
