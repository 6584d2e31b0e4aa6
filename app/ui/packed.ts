/**
 * A page's data as one JSON text. React Router serializes loader data value by value, which took half as long as
 * rendering a listing. A text with the same data is smaller and faster to parse in the browser. For pages with a lot of
 * data; small ones are better off without it.
 */
export type Packed<View> = {
  readonly json: string
  /** Never set, since it only carries the type. */
  readonly view?: View
}

/** Unpacked views. On the server this is the view that was packed, and in the browser the parsed one. */
const views = new WeakMap<Packed<unknown>, unknown>()

/** What a loader returns. `view` is plain JSON data. */
export function pack<View>(view: View): Packed<View> {
  const packed = { json: JSON.stringify(view) }
  views.set(packed, view)
  return packed
}

/** Returns the view. The same `packed` always returns the same object. */
export function unpack<View>(packed: Packed<View>): View {
  const view: unknown = views.get(packed) ?? JSON.parse(packed.json)
  views.set(packed, view)
  return view as View
}
