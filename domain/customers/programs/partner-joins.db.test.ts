/** Joining a partner by its code is audited and mailed, as other accesses that a sign-in receives are. */
import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { queuedJoinEmails } from '#domain/kernel/staff/joins.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { joinPartner } from './programs.server.ts'

test('the first use of a code is audited and mailed once; a wrong code and a renewal are not', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const deps = accountDeps(db)
  const { accountId } = await signInAs(deps)
  const { name, code } = await db
    .selectFrom('partner')
    .select(['name', 'code'])
    .where('code', 'is not', null)
    .executeTakeFirstOrThrow()
  const { email } = await db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()
  const entries = () =>
    db
      .selectFrom('audit_entry')
      .select(['act', 'via', 'subject', 'after'])
      .where('act', '=', 'partner-program.joined')
      .execute()
  const mails = async () => (await queuedJoinEmails(db)).map(({ to }) => to)
  const before = await mails()
  expect(await joinPartner(deps, { accountId, code: 'NOT-A-CODE' })).toMatchObject({ reason: 'code-not-found' })
  for (let times = 0; times < 2; times++)
    expect(await joinPartner(deps, { accountId, code: code ?? '' })).toMatchObject({ ok: true })
  expect(await entries()).toEqual([
    { act: 'partner-program.joined', via: 'sign-in', subject: email, after: { partner: name } },
  ])
  expect(await mails()).toEqual([...before, email])
})
