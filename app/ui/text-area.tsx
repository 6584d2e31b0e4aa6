import type { Ref, TextareaHTMLAttributes } from 'react'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'defaultValue' | 'children'> & {
  /** What stands in it before anybody types. */
  text: string
  ref?: Ref<HTMLTextAreaElement>
}

/**
 * A textarea that keeps what was typed before the page is hydrated. React sets its value on hydration where the default
 * is the string that was drawn (`initTextarea` of react-dom), and then a text that was changed early is lost. A default
 * in an array is drawn the same and compares as different.
 */
export function TextArea({ text, ...area }: Props) {
  return <textarea {...area} defaultValue={[text]} />
}
