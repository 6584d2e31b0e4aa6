import type { OtherTimesView } from '#app/routes/checkout/other-times-view.server.ts'
import { SlotButton, SlotForm } from '#app/routes/checkout/slot-form.tsx'

/** Renders the next open times of the shop and nearby shops as buttons. `back` is the page after choosing one. */
export function OtherTimes({ times: { tab, shops }, back }: { times: OtherTimesView; back?: string }) {
  if (shops.length === 0) return null
  return (
    <section className="panel padded other-times" aria-labelledby="other-times">
      <h2 id="other-times">Free right now</h2>
      {shops.map(({ id, name, note, slots }) => (
        <div key={id}>
          <h3>
            {name} {note ? <span className="muted tabular">{note}</span> : null}
          </h3>
          <SlotForm tab={tab} shopId={id} back={back} label={`Free times at ${name}`}>
            {slots.map((slot) => (
              <SlotButton key={slot.value} slot={slot} />
            ))}
          </SlotForm>
        </div>
      ))}
    </section>
  )
}
