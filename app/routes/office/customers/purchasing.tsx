import { z } from 'zod'
import { purchasingActions } from '#app/office/actions/purchasing.server.ts'
import { actionStep, callOf, decideActions, doneNews, found, step } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { readOfficePurchasing } from '#app/views/office/purchasing.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { secretOverlapDays } from '#domain/channels/purchasing/purchasing.ts'
import { issuePurchasingSecret } from '#domain/channels/purchasing/purchasing.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import { Documents, Received, SecretForm, SystemForm } from './purchasing-panels.tsx'
import type { Route } from './+types/purchasing.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(
    matches,
    loaderData ? `Purchasing of ${loaderData.purchasing.name}` : 'Purchasing',
    officePaths.officeCompanies(),
  )

const news = { system: 'Purchasing system saved.', again: 'Document queued to be sent again.' }

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'companies.read', officePaths.officePurchasing(params.id))
  return {
    purchasing: found(await readOfficePurchasing(app, params.id)),
    maySet: staffCan(session.roles, 'companies.decide'),
    news: doneNews(url, news),
  }
}

const secretForm = z.object({ end: z.string().default('') })

export const action = (args: Route.ActionArgs) => {
  const companyId = args.params.id
  const path = (done?: string) => officePaths.officePurchasing(companyId, done)
  return decideActions(
    args,
    {
      id: companyId,
      path,
      secrets: ['secret'],
      done: { again: `${path('again')}#documents` },
      more: {
        steps: (posted) => ({
          system: actionStep(purchasingActions.actions.change, callOf(posted, companyId), 'system'),
          secret: step(
            secretForm,
            ({ end }) => issuePurchasingSecret(posted.app, { companyId, endsOthers: end === '1', by: posted.by }),
            // The secret appears only in this response.
            ({ secret }) => ({ shown: secret }),
          ),
        }),
        refusals: { ...purchasingActions.refusals, 'no-system': 'Save the purchasing system first.' },
      },
    },
    purchasingActions,
  )
}

export default function PurchasingPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { purchasing, maySet } = loaderData
  const { id, name, ours, isApproved, hasTerms, values } = purchasing
  return (
    <DetailPage
      title="Purchasing system"
      crumbs={[
        { label: 'Companies', path: officePaths.officeCompanies() },
        { label: name, path: officePaths.officeCompany(id) },
      ]}
      news={loaderData.news}
      reply={reply?.shown === undefined ? reply : undefined}
      body={
        <>
          {maySet && isApproved ? <SystemForm values={values} reply={reply} /> : null}
          <Received purchasing={purchasing} />
          <Documents purchasing={purchasing} mayAct={maySet} reply={reply} />
        </>
      }
      side={
        <>
          <FactsPanel
            id="ours"
            title="Operator settings"
            rows={[
              ['Address', ours.address],
              ['To domain', ours.domain],
              ['To identity', ours.identity],
              ['Validated by DTD', ours.isChecked ? 'Yes' : 'No: the DTDs are not installed'],
            ]}
          />
          <SecretForm purchasing={purchasing} mayIssue={maySet && values !== null} reply={reply} />
        </>
      }
    >
      {reply?.shown === undefined ? null : (
        <Notice tone="go" title="New secret, shown only once" isNews>
          <code>{reply.shown}</code>
          <p>The previous secret stays valid for {countOf(secretOverlapDays, 'day')}, unless you revoked it.</p>
        </Notice>
      )}
      {isApproved && values && !hasTerms ? (
        <Notice tone="signal" title="No net terms. Every order from this system is rejected until you set them." />
      ) : null}
    </DetailPage>
  )
}
