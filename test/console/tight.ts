import type { Page } from 'playwright-core'
import { MADE_UP_LETTERS } from './made-up.ts'

/** A text as it is drawn, or said to screen readers. */
export interface DrawnText {
  text: string
  /** Element and class, to find it by. */
  at: string
}

/** Functions that the other expressions need. */
const SHARED = `
  const placeOf = (element) => {
    const name = element.tagName.toLowerCase()
    const classes = [...element.classList].slice(0, 2).map((one) => '.' + one)
    const role = element.getAttribute('role')
    return name + classes.join('') + (role ? '[role=' + role + ']' : '')
  }
  // For screen readers alone: a pixel wide.
  const isSeen = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    for (let at = element; at !== null; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect()
      if (width <= 1 && height <= 1 && getComputedStyle(at).overflow === 'hidden') return false
    }
    return true
  }
  function* drawnTexts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      if (node.data.trim() !== '' && isSeen(node.parentElement)) yield node
    }
  }
`

const TEXTS = `(() => {
  ${SHARED}
  const texts = []
  for (const node of drawnTexts()) {
    // What was typed is nobody's text; what the service says in English and the console can't say is marked as English.
    if (node.parentElement.tagName !== 'TEXTAREA' && node.parentElement.closest('[lang]').tagName === 'HTML')
      texts.push({ text: node.data.trim(), at: placeOf(node.parentElement) })
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
    for (const element of document.querySelectorAll('[' + name + ']'))
      if (element.checkVisibility()) texts.push({ text: element.getAttribute(name).trim(), at: placeOf(element) + ' ' + name })
  return [{ text: document.title, at: 'title' }, ...texts]
})()`

/** All that the page says. */
export const textsOf = (page: Page): Promise<DrawnText[]> => page.evaluate(TEXTS)

/*
 * Cut or spilling are texts of the console, those with letters of the made-up language: names and values may be shortened.
 * Boxes that scroll show all that is in them.
 */
const TIGHT = `(() => {
  ${SHARED}
  const MADE_UP = /${MADE_UP_LETTERS}/
  const faults = new Set()
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip'
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll'
  const outside = (text, box) =>
    text.right > box.right + 1 || text.left < box.left - 1 ? 'x' : text.bottom > box.bottom + 2 || text.top < box.top - 2 ? 'y' : null
  for (const node of drawnTexts()) {
    if (!MADE_UP.test(node.data)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
    const say = (what, element) => faults.add(what + ': "' + node.data.trim() + '" in ' + placeOf(element))
    let isBlock = false
    for (let at = node.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const { display, overflowX, overflowY, position } = getComputedStyle(at)
      if (display === 'contents' || display === 'inline') continue
      const box = at.getBoundingClientRect()
      if (scrolls(overflowX) || scrolls(overflowY)) break
      const beside = rects.map((rect) => outside(rect, box)).find((found) => found !== null)
      if (beside === 'x' && hides(overflowX)) say('cut', at)
      else if (beside === 'y' && hides(overflowY)) say('cut below', at)
      else if (beside === 'x' && !isBlock) say('spills', at)
      // The first box is that of the text; those around it are looked at for what they hide.
      if (!isBlock && hides(overflowX) && at.scrollWidth > at.clientWidth + 1) say('shortened', at)
      isBlock = true
      if (position === 'fixed') break
    }
  }
  const CONTROLS = 'button, a[href], input, select, textarea, [role=tab], [role=checkbox], [role=switch]'
  const isControl = (element) => element.matches(CONTROLS) || element.querySelector(CONTROLS) !== null
  for (const parent of document.querySelectorAll('body *')) {
    const items = [...parent.children].filter((element) => {
      const { position } = getComputedStyle(element)
      return (position === 'static' || position === 'relative') && isControl(element) && isSeen(element)
    })
    const boxes = items.map((element) => element.getBoundingClientRect())
    for (let at = 1; at < items.length; at++) {
      const [a, b] = [boxes[at - 1], boxes[at]]
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide > 1 && high > 1) faults.add('overlap: ' + placeOf(items[at - 1]) + ' and ' + placeOf(items[at]))
    }
  }
  // Beside a text that needs more than its line a picture is squeezed, where it may shrink.
  for (const icon of document.querySelectorAll('svg[width]')) {
    const { width } = icon.getBoundingClientRect()
    const wanted = Number(icon.getAttribute('width'))
    if (isSeen(icon) && width < wanted - 0.5) faults.add('squeezed: ' + width + ' of ' + wanted + ' in ' + placeOf(icon.parentElement))
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.add('scrolls sideways: ' + scrollWidth + ' > ' + clientWidth)
  return [...faults]
})()`

/** Texts of the console that are cut or spill out of their box, controls that overlap, a page that scrolls sideways. */
export const tightBoxesOf = (page: Page): Promise<string[]> => page.evaluate(TIGHT)
