/** Rules against fraud as staff change them, each change with its entry in the audit log. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { outcomeWords, ruleWords, type FraudRule } from './fraud-rules.ts'
import { insertRule, lockRules, mostRules, selectRules, updateRule } from './fraud.sql.server.ts'
import type { FraudRuleInput } from './rule-form.ts'

type Deps = { db: Database; clock: Clock }

export type RuleRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-found'>
  | Refused<'changed-meanwhile'>
  | Refused<'too-many', { most: number }>

/**
 * Changes a rule, or adds one if `of` is null, and returns its id. Resubmitting the same form has no effect. Refuses a form that was made
 * before someone else's change of the rule.
 */
export async function saveRule(
  { db, clock }: Deps,
  by: Actor,
  { of, rule }: { of: { id: number; version: number } | null; rule: FraudRuleInput },
): Promise<Outcome<{ id: number; isNew: boolean }, RuleRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'fraud-rules.manage', at)
    if (!permitted.ok) return permitted
    await lockRules(tx)
    const rules = await selectRules(tx)
    if (of === null) return add(tx, by, { rules, rule, at })
    const before = rules.find(({ id, kind }) => id === of.id && kind === rule.kind)
    if (!before) return refused('not-found')
    if (isSame(before, rule)) return ok({ id: of.id, isNew: false })
    if (before.version !== of.version) return refused('changed-meanwhile')
    await updateRule(tx, of, rule, { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'fraud-rule.changed',
      subject: `rule ${of.id}`,
      before: recorded(before),
      after: recorded({ ...before, ...rule }),
      at,
    })
    return ok({ id: of.id, isNew: true })
  })
}

async function add(
  tx: Tx,
  by: Actor,
  { rules, rule, at }: { rules: readonly FraudRule[]; rule: FraudRuleInput; at: Temporal.Instant },
): Promise<Outcome<{ id: number; isNew: boolean }, RuleRefusal>> {
  const same = rules.find((one) => one.kind === rule.kind && isSame(one, rule))
  if (same) return ok({ id: same.id, isNew: false })
  if (rules.length >= mostRules) return refused('too-many', { most: mostRules })
  const id = await insertRule(tx, rule, { by: by.name, at })
  const after = recorded({ ...rule, id, version: 1 })
  await recordAct(tx, { by, act: 'fraud-rule.added', subject: `rule ${id}`, after, at })
  return ok({ id, isNew: true })
}

function isSame(rule: FraudRule, input: FraudRuleInput): boolean {
  const comparable = ({
    subject,
    most,
    minutes,
    miles,
    fromCents,
    words,
    homesOnly,
    sparesCompanies,
    outcome,
    isOn,
  }: Omit<FraudRule, 'id' | 'kind' | 'version'>) =>
    JSON.stringify([subject, most, minutes, miles, fromCents, words, homesOnly, sparesCompanies, outcome, isOn])
  return comparable(rule) === comparable(input)
}

function recorded(rule: FraudRule) {
  const { homesOnly, sparesCompanies, isOn, outcome } = rule
  return { rule: ruleWords(rule), outcome: outcomeWords[outcome], homesOnly, sparesCompanies, isOn }
}
