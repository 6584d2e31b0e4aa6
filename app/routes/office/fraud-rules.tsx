import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listRules, saveRule } from '#domain/fraud/fraud.server.ts'
import {
  fraudKinds,
  fraudRuleForm,
  outcomeWords,
  ruleWords,
  type FraudKind,
  type FraudRule,
} from '#domain/fraud/fraud.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import { RuleForm, type EditedRule } from './fraud-rule-form.tsx'
import type { Route } from './+types/fraud-rules.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Fraud rules', officePaths.officeFraudRules())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'fraud-rules.manage', officePaths.officeFraudRules())
  const rules = await listRules(shop)
  const kinds = Object.keys(fraudKinds) as FraudKind[]
  const kind = kinds.find((each) => each === url.searchParams.get('kind'))
  const chosen = rules.find(({ id }) => String(id) === url.searchParams.get('rule'))
  return {
    done: url.searchParams.get('done') === 'saved',
    edited: chosen ? editedRule(chosen) : kind ? newRule(kind) : null,
    kinds: kinds.map((each) => ({ kind: each, words: fraudKinds[each].words })),
    rules: rules.map((rule) => ({
      id: rule.id,
      kind: fraudKinds[rule.kind].words,
      words: ruleWords(rule),
      scope: [rule.homesOnly ? 'homes only' : null, rule.sparesCompanies ? 'not for companies' : null]
        .filter((part) => part !== null)
        .join(', '),
      outcome: outcomeWords[rule.outcome],
      isOn: rule.isOn,
    })),
  }
}

function editedRule(rule: FraudRule): EditedRule {
  const { id, kind, version, subject, most, minutes, miles, fromCents, words } = rule
  return {
    id,
    kind,
    version,
    title: ruleWords(rule),
    subject: subject ?? '',
    most: most === null ? '' : String(most),
    minutes: minutes === null ? '' : String(minutes),
    miles: miles === null ? '' : String(miles),
    fromCents: fromCents === null ? '' : (fromCents / 100).toFixed(2),
    words: (words ?? []).join('\n'),
    homesOnly: rule.homesOnly,
    sparesCompanies: rule.sparesCompanies,
    outcome: rule.outcome,
    isOn: rule.isOn,
  }
}

function newRule(kind: FraudKind): EditedRule {
  const empty = { subject: '', most: '', minutes: '', miles: '', fromCents: '', words: '' }
  const choices = { homesOnly: true, sparesCompanies: true, outcome: 'review', isOn: true } as const
  return { id: null, kind, version: 0, title: `New rule: ${fraudKinds[kind].words}`, ...empty, ...choices }
}

/** Saves a rule, or a new one; submitted again, it changes nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'fraud-rules.manage', officePaths.officeFraudRules())
  const fields = await readForm(request)
  const checked = checkForm(fraudRuleForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const [id, version] = [fields.get('rule') ?? '', fields.get('version') ?? ''].map((text) =>
    /^\d{1,9}$/.test(text) ? Number(text) : null,
  )
  const of = id ? { id, version: version ?? 0 } : null
  const saved = await saveRule(shop, actor, { of, rule: checked.value })
  if (saved.ok) return seeOther(officePaths.officeFraudRules({ done: 'saved' }))
  const words =
    saved.reason === 'too-many'
      ? `There are ${countOf(saved.detail.most, 'rule')} already. Change one of them instead.`
      : refusals[saved.reason]
  return refuseForm(formRefusal(fields, words), saved.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'rule-not-found': 'There is no such rule.',
  'changed-meanwhile': 'A colleague changed this rule meanwhile. Load the page again, and compare.',
} as const

export default function FraudRules({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { done, edited, kinds, rules } = loaderData
  return (
    <OfficePage title="Fraud rules" crumbs={[{ label: 'Held orders', path: officePaths.officeHeldOrders() }]}>
      {done && !reply ? <Notice tone="go" title="Saved. The next order is held against it." isNews /> : null}
      <Columns
        body={
          <Panel id="rules" title="Rules" note="Where several apply, the strictest counts">
            <DataTable
              caption="Fraud rules"
              columns={[
                { key: 'words', label: 'Rule', isRowHeader: true },
                { key: 'kind', label: 'Kind' },
                { key: 'scope', label: 'Applies to' },
                { key: 'outcome', label: 'What happens' },
                { key: 'isOn', label: 'State' },
              ]}
              rows={rules.map(({ id, words, isOn, ...row }) => ({
                id: String(id),
                isMuted: !isOn,
                cells: {
                  ...row,
                  words: <a href={officePaths.officeFraudRules({ rule: id })}>{words}</a>,
                  isOn: <Tag tone={isOn ? 'go' : 'plain'}>{isOn ? 'On' : 'Off'}</Tag>,
                },
              }))}
            />
          </Panel>
        }
        first={
          <>
            {edited ? <RuleForm edited={edited} reply={reply} /> : null}
            <Panel id="add" title="Add a rule">
              <ul className="office-panel-body plain-list">
                {kinds.map(({ kind, words }) => (
                  <li key={kind} className="office-choice">
                    <a href={officePaths.officeFraudRules({ kind })}>{words}</a>
                  </li>
                ))}
              </ul>
            </Panel>
          </>
        }
      />
    </OfficePage>
  )
}
