// Package hfsp draws Figures 1 and 2 of HFSP (Pastorelli, Barbuzzi, Carra, Dell'Amico, Michiardi: HFSP: Size-based Scheduling
// for Hadoop) from the fluid model, and checks what the paper's Section II says about them.
//
// The paper's SRVT, shortest remaining virtual time, is FSP here. It leaves open how late jobs are served, those that the
// virtual system has finished and the real one has not, so both rules of its time are run: one at a time in the order of becoming
// late, and all sharing the server.
package hfsp
