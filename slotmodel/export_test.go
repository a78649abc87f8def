package slotmodel

// ActionError is what Run returns where a policy was not allowed an action.
type ActionError = actionError
