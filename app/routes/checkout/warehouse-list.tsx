import { Form } from 'react-router'
import type { WarehouseView } from '#app/routes/checkout/shipping-view.server.ts'
import { warehousesWithinMiles } from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'

/** Our own warehouses near the shopper; a tire that one does not have cannot be picked up there. */
export function WarehouseList({
  warehouses,
  chosenId,
  zip,
}: {
  warehouses: WarehouseView[]
  chosenId: number | null
  zip: string
}) {
  if (warehouses.length === 0)
    return (
      <p className="notice small">
        No pickup warehouses within {countOf(warehousesWithinMiles, 'mile')} of {zip}.
      </p>
    )
  return (
    <Form method="post" className="stack">
      <input type="hidden" name="intent" value="choose-warehouse" />
      <input type="hidden" name="tab" value="carrier-pickup" />
      <fieldset className="counter-list">
        <legend className="strong">At our warehouse, ready within a day</legend>
        {warehouses.map(({ id, name, miles, address, week, keptDays, note, ready }) => (
          <div key={id} className="panel counter">
            <label className="counter-choice">
              <input
                type="radio"
                name="warehouse"
                value={id}
                disabled={ready === null}
                defaultChecked={ready !== null && (id === chosenId || warehouses.length === 1)}
              />
              <span>
                <b>{name}</b> <span className="small muted tabular">{miles} mi</span>
                <br />
                <span className="small">{address}</span>
                <br />
                <span className="small tabular">
                  {ready ? <b>Ready by {ready}</b> : 'Does not have all your tires right now'}
                </span>
                <br />
                <span className="small muted">
                  {week}. Kept for {countOf(keptDays, 'day')}.
                  {note ? (
                    <>
                      <br />
                      {note}
                    </>
                  ) : null}
                </span>
              </span>
            </label>
          </div>
        ))}
      </fieldset>
      {warehouses.some(({ ready }) => ready) ? (
        <button className="btn primary large" type="submit">
          Pick up at the warehouse
        </button>
      ) : null}
    </Form>
  )
}
