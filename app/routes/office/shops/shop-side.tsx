/** The side of a shop's page, with the owner and team, the agreement, and the history. */
import { Panel, PanelBody, KeyValues, Tag } from '#app/ui/office/office-parts.tsx'
import type { ShopAgreementView, ShopHistoryEntry, ShopPeopleView } from '#app/views/office/shop.server.ts'

export function PeoplePanel({ people: { owner, others, notified }, phone }: { people: ShopPeopleView; phone: string }) {
  return (
    <Panel id="members" title="Owner and people">
      <PanelBody>
        {owner ? (
          <p>
            <b>{owner.name || 'Owner'}</b>
            <br />
            <a href={`mailto:${owner.email}`}>{owner.email}</a>
            <br />
            {phone}
          </p>
        ) : (
          <p>No owner</p>
        )}
        {others.length > 0 ? (
          <ul className="office-note">
            {others.map(({ email, name, role }) => (
              <li key={email}>
                {[name, role].filter(Boolean).join(', ')} · {email}
              </li>
            ))}
          </ul>
        ) : null}
        <p className="office-note">{notified}</p>
        {owner ? (
          <p>
            <a className="btn" href={`mailto:${owner.email}`}>
              Email the owner
            </a>
          </p>
        ) : null}
      </PanelBody>
    </Panel>
  )
}

export function AgreementPanel({ agreement: { isComplete, rows } }: { agreement: ShopAgreementView }) {
  return (
    <Panel
      id="agreement"
      title="Agreement"
      end={<Tag tone={isComplete ? 'go' : 'signal'}>{isComplete ? 'Complete' : 'Incomplete'}</Tag>}
    >
      <PanelBody>
        <KeyValues rows={rows} />
      </PanelBody>
    </Panel>
  )
}

export function HistoryPanel({ entries }: { entries: readonly ShopHistoryEntry[] }) {
  return (
    <Panel id="history" title="History">
      <PanelBody>
        {entries.length === 0 ? <p>No changes yet.</p> : null}
        <ol className="office-timeline">
          {entries.map(({ at, day, who, text }, index) => (
            <li key={index}>
              <div className="office-timeline-head">
                <span>{who}</span>
                <time title={at}>{day}</time>
              </div>
              {text}
            </li>
          ))}
        </ol>
      </PanelBody>
    </Panel>
  )
}
