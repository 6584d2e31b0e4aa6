/**
 * A page's data as one JSON text. React Router writes loader data value by value: of a listing that took half as long
 * as drawing it, and a text of the same data is smaller on the wire and read faster by the browser. For pages that send
 * a lot; small ones are better off without it.
 */
export type Packed<View> = {
  readonly json: string
  /** Never set: it says what is inside. */
  readonly view?: View
}

/** Views at hand: on the server the one that was packed, in the browser the one that was read. */
const views = new WeakMap<Packed<unknown>, unknown>()

/** What a loader returns. `view` is plain data, as JSON knows it. */
export function pack<View>(view: View): Packed<View> {
  const packed = { json: JSON.stringify(view) }
  views.set(packed, view)
  return packed
}

/** What is in it: the same object for the same `packed`. */
export function unpack<View>(packed: Packed<View>): View {
  const view: unknown = views.get(packed) ?? JSON.parse(packed.json)
  views.set(packed, view)
  return view as View
}
