import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readOfficePurchasing } from '#app/views/office-purchasing.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { purchasingForm, secretOverlapDays } from '#domain/purchasing/purchasing.ts'
import { issuePurchasingSecret, sendDocumentAgain, setPurchasingSystem } from '#domain/purchasing/purchasing.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import { Documents, Received, SecretForm, SystemForm } from './purchasing-panels.tsx'
import type { Route } from './+types/purchasing.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(
    matches,
    loaderData ? `Purchasing of ${loaderData.purchasing.name}` : 'Purchasing',
    officePaths.officeCompanies(),
  )

const news: Readonly<Record<string, string>> = {
  system: 'Purchasing system saved.',
  again: 'The document is sent again.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'companies.read', officePaths.officePurchasing(params.id))
  const purchasing = await readOfficePurchasing(shop, params.id)
  if (!purchasing) throw new Response(null, { status: 404 })
  return {
    purchasing,
    maySet: staffCan(session.roles, 'companies.decide'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { shop, actor: by } = await requireStaff(context, 'companies.read', officePaths.officePurchasing(id))
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'system': {
      const checked = checkForm(purchasingForm, fields)
      if (!checked.ok) return refuseForm({ ...checked.reply, values: { ...checked.reply.values, secret: '' } })
      const set = await setPurchasingSystem(shop, { companyId: id, terms: checked.value, by })
      return set.ok ? seeOther(officePaths.officePurchasing(id, 'system')) : refusal(fields, set.reason)
    }
    case 'secret': {
      const issued = await issuePurchasingSecret(shop, { companyId: id, endsOthers: fields.get('end') === '1', by })
      // Shown once: it is in this answer alone.
      return issued.ok ? data({ secret: issued.value.secret }) : refusal(fields, issued.reason)
    }
    case 'again': {
      const documentId = fields.get('document') ?? ''
      const again = await sendDocumentAgain(shop, { documentId, companyId: id, by })
      return again.ok
        ? seeOther(`${officePaths.officePurchasing(id, 'again')}#documents`)
        : refusal(fields, again.reason)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  'company-not-found': 'There is no such company.',
  'not-approved': 'Only an approved company has a purchasing system.',
  'no-system': 'Save the purchasing system first.',
  'not-dead': 'That document is not waiting for you. Nothing was changed.',
} as const

function refusal(fields: URLSearchParams, reason: keyof typeof refusals | 'identity-taken' | 'secret-missing') {
  fields.delete('secret')
  if (reason === 'identity-taken')
    return refuseForm(formRefusal(fields, 'Fix 1 field:', { identity: 'Another company has that identity.' }), 409)
  if (reason === 'secret-missing')
    return refuseForm(
      formRefusal(fields, 'Fix 1 field:', { secret: 'Enter the secret that our documents carry to that address.' }),
    )
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

export default function PurchasingPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { purchasing, maySet, news: done } = loaderData
  const { id, name, ours, isApproved, hasTerms, values } = purchasing
  const secret = reply && 'secret' in reply ? reply.secret : null
  const refused = reply && 'values' in reply ? reply : undefined
  const replyTo = (intent: string) => (refused?.values['intent'] === intent ? refused : undefined)
  return (
    <OfficePage
      title="Purchasing system"
      crumbs={[
        { label: 'Companies', path: officePaths.officeCompanies() },
        { label: name, path: officePaths.officeCompany(id) },
      ]}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {secret === null ? null : (
        <Notice tone="go" title="The new secret, shown only now" isNews>
          <code>{secret}</code>
          <p>The one before stays valid for {countOf(secretOverlapDays, 'day')}, unless you ended it.</p>
        </Notice>
      )}
      {isApproved && values && !hasTerms ? (
        <Notice tone="signal" title="No net terms: every order of this system is refused until they are set." />
      ) : null}
      <Columns
        body={
          <>
            {maySet && isApproved ? <SystemForm values={values} reply={replyTo('system')} /> : null}
            <Received purchasing={purchasing} />
            <Documents purchasing={purchasing} mayAct={maySet} reply={replyTo('again')} />
          </>
        }
        last={
          <>
            <Panel id="ours" title="What its operator enters">
              <PanelBody>
                <KeyValues
                  rows={[
                    ['Address', ours.address],
                    ['To domain', ours.domain],
                    ['To identity', ours.identity],
                    ['Checked by DTD', ours.isChecked ? 'Yes' : 'No: the DTDs are not installed'],
                  ]}
                />
              </PanelBody>
            </Panel>
            <SecretForm purchasing={purchasing} mayIssue={maySet && values !== null} reply={replyTo('secret')} />
          </>
        }
      />
    </OfficePage>
  )
}
