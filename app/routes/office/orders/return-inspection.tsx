import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import type { OfficeReturnView } from '#app/views/office/return.server.ts'
import { countOf } from '#platform/count-text.ts'
import { returnOutcomes, returnOutcomeWords } from '#domain/ordering/returns/returns.ts'

/** Renders each tire's arrival, inspection result, and disposition. */
export function Inspections({ view, reply }: { view: OfficeReturnView; reply: FormReply | undefined }) {
  const arriving = view.tires.filter(({ isArriving }) => isArriving)
  return (
    <Panel
      id="inspection"
      title="Inspection"
      note={`${view.received} here, one label per tire`}
      end={
        view.labels === null ? null : (
          <a className="btn quiet small" href={view.labels}>
            Print labels
          </a>
        )
      }
    >
      {view.mayReceive && arriving.length > 0 ? (
        <PanelBody>
          <form method="post" className="stack">
            <h3>Tires that arrived</h3>
            {arriving.map(({ no, name, shipsBack }) => (
              <label key={no} className="check">
                <input type="checkbox" name={`tire-${no}`} value="1" />
                <span>
                  Tire {no}, {shipsBack ? name : `${name}: never arrived, checked with the carrier`}
                </span>
              </label>
            ))}
            <button className="btn" name="intent" value="receive">
              Mark received and start the refund period
            </button>
          </form>
        </PanelBody>
      ) : null}
      {view.mayInspect ? <AcceptForm tires={view.tires.filter(({ isWaiting }) => isWaiting)} /> : null}
      {view.tires.map((tire) => (
        <PanelBody key={tire.no}>
          <div className="return-tire">
            <div>
              <h3>
                Tire {tire.no} <Tag tone={tire.tone}>{tire.state}</Tag>
              </h3>
              <p className="small muted">{tire.name}</p>
              {tire.dot ? <p className="small">{tire.dot}</p> : null}
              {tire.finding ? <p>{tire.finding}</p> : null}
              {tire.refusal ? <blockquote>{tire.refusal}</blockquote> : null}
            </div>
            <p className="small">
              {tire.label ? <>Label {tire.labelUrl ? <a href={tire.labelUrl}>{tire.label}</a> : tire.label}</> : null}
              {tire.received ? <b>Received {tire.received}</b> : null}
            </p>
          </div>
          {tire.isWaiting && view.mayInspect ? (
            <InspectionForm no={tire.no} reply={reply?.values['tire'] === String(tire.no) ? reply : undefined} />
          ) : null}
        </PanelBody>
      ))}
    </Panel>
  )
}

/** Accepts all received tires in one step. */
function AcceptForm({ tires }: { tires: OfficeReturnView['tires'] }) {
  if (tires.length === 0) return null
  return (
    <PanelBody>
      <form method="post" className="stack">
        {tires.map(({ no }) => (
          <input key={no} type="hidden" name={`tire-${no}`} value="1" />
        ))}
        <p className="small">If these are the tires we sold and they can be sold again, accept them without notes.</p>
        <p>
          <button className="btn" name="intent" value="accept">
            Accept {countOf(tires.length, 'received tire')}
          </button>
        </p>
      </form>
    </PanelBody>
  )
}

function InspectionForm({ no, reply }: { no: number; reply: FormReply | undefined }) {
  const value = (name: string) => reply?.values[name] ?? ''
  return (
    <form method="post" encType="multipart/form-data" className="stack return-inspection">
      {reply && Object.keys(reply.errors).length > 0 ? <ErrorSummary reply={reply} /> : null}
      <input type="hidden" name="tire" value={no} />
      <div className="office-pair">
        <label className="field" htmlFor={`finding-${no}`}>
          Inspection result
          <input
            className="input"
            id={`finding-${no}`}
            name="finding"
            maxLength={300}
            defaultValue={value('finding')}
            autoComplete="off"
          />
        </label>
        <label className="field" htmlFor={`dot-${no}`}>
          DOT code
          <input
            className="input"
            id={`dot-${no}`}
            name="dot"
            maxLength={20}
            defaultValue={value('dot')}
            autoComplete="off"
          />
        </label>
      </div>
      <label className="check">
        <input type="checkbox" name="isDotMatch" value="1" defaultChecked={value('isDotMatch') === '1'} />
        <span>This is the tire we sold</span>
      </label>
      <fieldset className="office-segments">
        <legend>Next step for tire {no}</legend>
        {returnOutcomes.map((outcome) => (
          <label key={outcome}>
            <input type="radio" name="outcome" value={outcome} defaultChecked={value('outcome') === outcome} />
            <span>{returnOutcomeWords[outcome]}</span>
          </label>
        ))}
      </fieldset>
      <label className="field return-refusal" htmlFor={`refusal-${no}`}>
        Reason, if refused (sent to the customer word for word)
        <TextArea
          className="input"
          id={`refusal-${no}`}
          name="refusal"
          rows={3}
          maxLength={500}
          text={value('refusal')}
        />
      </label>
      <label className="field return-refusal" htmlFor={`photo-${no}`}>
        Our photo, required to refuse
        <input className="input" id={`photo-${no}`} name="photo" type="file" accept="image/jpeg,image/png,image/webp" />
      </label>
      <button className="btn" name="intent" value="inspect">
        Save tire {no}
      </button>
    </form>
  )
}
