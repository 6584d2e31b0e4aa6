import { useEffect, useRef, type ReactNode } from 'react'
import { Form } from 'react-router'
import { addressMessages } from '#content/messages/addresses.ts'

/**
 * The address check asks whether the entered address is right (`unsure`, with a suggested correction if there is one),
 * or whether the tires go to the tire shop at that address (`shop`, with its page). `key` confirms the address as entered. `asked` is unique to each question.
 */
export type AddressQuestionView = { asked: string } & (
  | { kind: 'unsure'; words: string; entered: string; recommended: Recommended | null; key: string }
  | { kind: 'shop'; name: string; path: string; key: string }
)

type Recommended = { text: string; fields: Record<string, string> }

/**
 * Renders the question as a dialog that works without JavaScript. Keyed by `asked`. Each answer resubmits the whole
 * form.
 */
export function AddressQuestion({
  question,
  values,
}: {
  question: AddressQuestionView
  values: Readonly<Record<string, string>>
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.close()
    dialog.current?.showModal()
  }, [])
  return (
    <dialog className="modal" ref={dialog} open aria-labelledby="address-title">
      <div className="stack">
        {question.kind === 'unsure' ? (
          <UnsureAddress question={question} values={values} />
        ) : (
          <>
            <h2 id="address-title">{addressMessages.shopTitle(question.name)}</h2>
            <p>{addressMessages.shop}</p>
            <a className="btn primary" href={question.path}>
              Choose a time there
            </a>
            <Answer values={values} fields={{ shipToShop: question.key }}>
              <button className="btn wide">Ship without installation</button>
            </Answer>
          </>
        )}
        <form method="dialog">
          <button className="btn quiet wide">Change the address</button>
        </form>
      </div>
    </dialog>
  )
}

function UnsureAddress({
  question: { words, entered, recommended, key },
  values,
}: {
  question: Extract<AddressQuestionView, { kind: 'unsure' }>
  values: Readonly<Record<string, string>>
}) {
  return (
    <>
      <h2 id="address-title">{addressMessages.title}</h2>
      <p>{words}</p>
      {recommended ? (
        <div>
          <p className="small muted">Recommended</p>
          <p className="strong">{recommended.text}</p>
        </div>
      ) : null}
      <div>
        <p className="small muted">You entered</p>
        <p>{entered}</p>
      </div>
      {recommended ? (
        <Answer values={values} fields={recommended.fields}>
          <button className="btn primary wide">Use the recommended address</button>
        </Answer>
      ) : null}
      <Answer values={values} fields={{ keepAddress: key }}>
        <button className={recommended ? 'btn wide' : 'btn primary wide'}>Keep what I entered</button>
      </Answer>
    </>
  )
}

/** Renders the submitted form with `fields` overriding its values. */
function Answer({
  values,
  fields,
  children,
}: {
  values: Readonly<Record<string, string>>
  fields: Readonly<Record<string, string>>
  children: ReactNode
}) {
  return (
    <Form method="post">
      {Object.entries({ ...values, ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
