import { requireStaff } from '#app/server/office.server.ts'
import { MailParts } from '#app/ui/office/mail-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { previewOf } from '#app/views/mail-preview.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { isMessageKind, messageKinds } from '#domain/messages/messages.ts'
import type { Route } from './+types/email-preview.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, 'Email preview', officePaths.officeEmail(params.kind))

export async function loader({ context, params: { kind } }: Route.LoaderArgs) {
  if (!isMessageKind(kind)) throw new Response(null, { status: 404 })
  const { shop } = await requireStaff(context, 'requests.read', officePaths.officeEmail(kind))
  return { kind, origin: shop.config.web.origin, mail: await previewOf(shop, kind) }
}

export default function EmailPreview({ loaderData: { kind, origin, mail } }: Route.ComponentProps) {
  return (
    <OfficePage title={mail.subject} crumbs={[{ label: 'Emails', path: officePaths.officeEmails() }]}>
      <Columns
        body={<MailParts origin={origin} html={mail.html} text={mail.text} />}
        last={
          <Panel id="kinds" title="Every kind" note="with sample values">
            <PanelBody>
              <ul className="office-list">
                {messageKinds.map((each) => (
                  <li key={each}>
                    <a href={officePaths.officeEmail(each)} aria-current={each === kind ? 'page' : undefined}>
                      {each}
                    </a>
                  </li>
                ))}
              </ul>
            </PanelBody>
          </Panel>
        }
      />
    </OfficePage>
  )
}
