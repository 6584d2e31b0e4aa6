/** How much the members of a company order without an approval. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { MemberLimitForm } from '#app/ui/member-limit-form.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { OfficeCompany } from '#app/views/office-company.server.ts'

/** The limits of its roles, and of its people where they differ. */
export function LimitForms({
  company: { limits, spenders },
  reply,
}: {
  company: Pick<OfficeCompany, 'limits' | 'spenders'>
  reply: FormReply | undefined
}) {
  const isOf = (member: string) => reply?.values['intent'] === 'member' && reply.values['member'] === member
  const ofRoles = reply?.values['intent'] === 'limits' ? reply : undefined
  return (
    <Panel id="limits" title="Orders without approval">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={ofRoles} labels={{ owner: 'Owners', buyer: 'Buyers' }} />
          <Field
            name="owner"
            label="Owners, in dollars"
            reply={ofRoles}
            value={limits.owner}
            inputMode="decimal"
            maxLength={20}
          />
          <Field
            name="buyer"
            label="Buyers, in dollars"
            reply={ofRoles}
            value={limits.buyer}
            inputMode="decimal"
            maxLength={20}
            hint="Empty: no limit. Orders above it wait for someone whose own limit allows them."
          />
          <p>
            <button className="btn" name="intent" value="limits">
              Save limits
            </button>
          </p>
        </form>
        {spenders.map((member) => (
          <MemberLimitForm key={member.id} member={member} reply={isOf(member.id) ? reply : undefined} />
        ))}
      </PanelBody>
    </Panel>
  )
}
