import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether an element has been in view, or nearly, since it was drawn. */
export function useSeen<Element extends HTMLElement>(): readonly [RefObject<Element | null>, boolean] {
  const frame = useRef<Element>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, isSeen]
}
