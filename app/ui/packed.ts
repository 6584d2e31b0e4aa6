/**
 * A page's data as one JSON text. React Router writes loader data value by value: for a listing, that took half as long
 * as rendering it, and a text of the same data is smaller to send and faster for the browser to read. For pages with a
 * lot of data; small ones are better off without it.
 */
export type Packed<View> = {
  readonly json: string
  /** Never set: it only carries the type. */
  readonly view?: View
}

/** Unpacked views: on the server the one that was packed, in the browser the one that was parsed. */
const views = new WeakMap<Packed<unknown>, unknown>()

/** What a loader returns. `view` is plain JSON data. */
export function pack<View>(view: View): Packed<View> {
  const packed = { json: JSON.stringify(view) }
  views.set(packed, view)
  return packed
}

/** Returns the view: the same object for the same `packed`. */
export function unpack<View>(packed: Packed<View>): View {
  const view: unknown = views.get(packed) ?? JSON.parse(packed.json)
  views.set(packed, view)
  return view as View
}
