import { pluralOf } from '../formats.ts'
import type { dashboard as en } from '../en/dashboard.ts'

const plural = pluralOf('zh-CN')

export const dashboard: typeof en = {
  title: '概览',
  domains: '域名',
  counts: { total: '总计', active: '正常', expiring: '即将到期', expired: '已过期' },
  expiries: '即将到期的域名',
  expiriesAbout: '未来十二个月，按周统计。',
  noExpiries: '还没有域名设置到期日期。',
  asTable: '以表格显示',
  week: '周起始日',
  overdue: (count) => plural(count, { other: '# 个已过期' }),
  inWeek: (week, count) => plural(count, { other: `${week}：# 个域名` }),
  lead: (days) => plural(days, { other: '提醒提前 # 天' }),
  today: '今天',
  lookAtBar: '指向某个柱形或使用方向键，查看其中的域名。',
  allOfBar: (count) => plural(count, { other: '查看全部 # 个' }),
  next: '最近到期',
  none: '无。',
  health: '健康检查',
  findings: { error: '健康错误', warning: '健康警告', info: '健康提示' },
  failures: '最近的失败',
  failureKinds: { sync: '同步', change: '变更', channel: '通知渠道' },
  noFailures: '最近没有失败。',
  unmanaged: '未纳管的记录',
  latest: '最近变更',
  empty: '还没有域名。请先连接 DNS 服务商，再导入其区域。',
  connect: '连接 DNS 服务商',
  guide: {
    title: '入门步骤',
    close: '隐藏入门步骤',
    open: '显示入门步骤',
    done: '已完成',
    secured: { text: '使用两步验证或通行密钥保护账户', action: '去设置' },
    provider: {
      text: '连接 DNS 服务商。如需试用，可选择“手动”：记录只保存在此处，不会发布',
      action: '去连接',
    },
    domains: { text: '导入您的域名', action: '添加域名' },
    records: { text: '添加第一条记录', action: '打开域名' },
    expiry: { text: '监控到期日期', action: '查看域名' },
    people: { text: '邀请用户', action: '去邀请' },
    outside: { text: '通过电子邮件或聊天工具接收通知', action: '添加渠道' },
    https: { text: '通过反向代理启用 HTTPS', action: '查看方法' },
  },
}
