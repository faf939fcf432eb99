import { pluralOf } from '../formats.ts'
import type { verification as en } from '../en/verification.ts'

const plural = pluralOf('zh-CN')

export const verification: typeof en = {
  title: '域名服务器',
  serve: (agreeing, count) => plural(count, { other: `# 个域名服务器中有 ${agreeing} 个已生效。` }),
  status: {
    none: '未验证',
    waiting: '等待中',
    verified: '已验证',
    failed: '未按时生效',
    superseded: '已被取代',
    not_comparable: '无法比较',
    unreachable: '没有应答',
  },
  about: {
    none: '尚未向域名服务器查询此变更。',
    waiting: '正在询问域名服务器。',
    verified: '',
    failed: '变更十分钟后，仍有域名服务器未生效。',
    superseded: '其中的内容已全部被更新的变更取代。',
    not_comparable: '这些记录的应答由服务商决定。',
    unreachable: '无法访问任何域名服务器。',
  },
  verify: '立即验证',
  again: '重新验证',
  server: '域名服务器',
  state: '状态',
  states: {
    agrees: '已生效',
    differs: '应答了其他记录',
    no_answer: '没有应答',
    refused: '拒绝应答',
    lame: '没有此区域',
    not_comparable: '无法比较',
  },
  answer: '应答',
  noRecords: '没有记录',
  checked: '检查时间',
  showServers: '显示域名服务器',
  applied: '您最近的变更',
  hide: '隐藏',
}
