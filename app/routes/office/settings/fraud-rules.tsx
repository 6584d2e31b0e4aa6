import { fraudRuleActions } from '#app/office/actions/fraud-rules.server.ts'
import { decideActions, doneNews } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listRules } from '#domain/ordering/fraud/fraud.server.ts'
import { fraudKinds, outcomeWords, ruleWords, type FraudKind, type FraudRule } from '#domain/ordering/fraud/fraud.ts'
import { RuleForm, type EditedRule } from './fraud-rule-form.tsx'
import type { Route } from './+types/fraud-rules.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Fraud rules', officePaths.officeFraudRules())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'fraud-rules.manage', officePaths.officeFraudRules())
  const rules = await listRules(app)
  const kinds = Object.keys(fraudKinds) as FraudKind[]
  const kind = kinds.find((each) => each === url.searchParams.get('kind'))
  const chosen = rules.find(({ id }) => String(id) === url.searchParams.get('rule'))
  return {
    news: doneNews(url, { saved: 'Saved. Applies starting with the next order.' }),
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

/** Creates or updates a rule. Idempotent. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('rule') ?? '',
      path: (done) => officePaths.officeFraudRules({ done }),
      done: { add: 'saved', change: 'saved' },
    },
    fraudRuleActions,
  )

export default function FraudRules({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { edited, kinds, rules } = loaderData
  return (
    <DetailPage
      title="Fraud rules"
      crumbs={[{ label: 'Held orders', path: officePaths.officeHeldOrders() }]}
      news={loaderData.news}
      reply={reply}
      body={
        <TablePanel
          id="rules"
          title="Rules"
          note="If several apply, the strictest counts"
          caption="Fraud rules"
          columns={{ words: 'Rule', kind: 'Kind', scope: 'Applies to', outcome: 'Outcome', isOn: 'State' }}
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
      }
      forms={
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
  )
}
