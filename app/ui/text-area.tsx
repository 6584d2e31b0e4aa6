import type { Ref, TextareaHTMLAttributes } from 'react'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'defaultValue' | 'children'> & {
  /** The initial text. */
  text: string
  ref?: Ref<HTMLTextAreaElement>
}

/**
 * A textarea that preserves text entered before the page is hydrated. React sets its value on hydration if the default
 * is the rendered string (`initTextarea` of react-dom), which would lose an early change. A default in an array renders
 * the same but compares as different.
 */
export function TextArea({ text, ...area }: Props) {
  return <textarea {...area} defaultValue={[text]} />
}
