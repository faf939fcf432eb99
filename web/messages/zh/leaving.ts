import type { leaving as en } from '../en/leaving.ts'

export const leaving: typeof en = {
  title: '不保存就离开？',
  text: '您在此处的修改尚未保存。',
  leave: '不保存，离开',
}
