import { en, type Messages } from '../../web/messages/en.ts'
import { zh } from '../../web/messages/zh.ts'

const whole = async (areas: Record<string, () => Promise<unknown>>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(areas).map(async ([name, load]) => [name, await load()] as const)),
  ) as Messages

/** Console texts, by which buttons are found, with the matching browser locale. */
export const WORDS: Record<string, { locale: string; m: Messages }> = {
  en: { locale: 'en-US', m: await whole(en) },
  zh: { locale: 'zh-CN', m: await whole(zh) },
}
