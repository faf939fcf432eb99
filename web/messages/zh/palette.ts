import type { palette as en } from '../en/palette.ts'

export const palette: typeof en = {
  open: '查找或执行',
  label: '命令面板',
  placeholder: '查找页面、域名、记录或操作',
  pages: '页面',
  domains: '域名',
  records: '记录',
  users: '用户',
  actions: '操作',
  addDomain: '添加域名',
  searchAll: (text) => `在所有记录中搜索“${text}”`,
  found: (count) => `${count} 个结果`,
  none: '没有结果。',
}
