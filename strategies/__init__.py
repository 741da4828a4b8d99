"""Who decides: the strategies that ship with the project, and how a name becomes one."""
